//! Whether an error tells of business logic at work, by the six weighted factors of the response
//! validator guide. Its rule is kept as it stands, with its faults: a name with a common verb in it
//! reaches the threshold alone. [`super::Blame`] is the rule we judge by.

use std::sync::LazyLock;

use crate::pattern;
use regex::Regex;
use serde_json::Value;

/// What speaks for business logic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factor {
    McpCode,
    Pattern,
    HttpStatus,
    Structured,
    TestData,
    ExpectedTool,
}

impl Factor {
    pub const ALL: [Factor; 6] = [
        Factor::McpCode,
        Factor::Pattern,
        Factor::HttpStatus,
        Factor::Structured,
        Factor::TestData,
        Factor::ExpectedTool,
    ];

    pub fn weight(self) -> u32 {
        match self {
            Factor::McpCode | Factor::Pattern | Factor::ExpectedTool => 2,
            Factor::HttpStatus | Factor::Structured | Factor::TestData => 1,
        }
    }
}

/// Families of phrases that tools use when they refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Resource,
    Data,
    Permission,
    Rule,
    Operational,
    RateLimit,
    Banking,
}

impl Family {
    /// The families of which a phrase stands in the text.
    pub fn all_in(text: &str) -> Vec<Family> {
        let lower = text.to_lowercase();
        let told = PHRASES.iter().filter(|(_, phrases)| phrases.iter().any(|p| lower.contains(p)));
        told.map(|(family, _)| *family).collect()
    }
}

const PHRASES: &[(Family, &[&str])] = &[
    (
        Family::Resource,
        &[
            "not found",
            "does not exist",
            "doesn't exist",
            "no such",
            "cannot find",
            "could not find",
            "unable to find",
            "invalid id",
            "unknown resource",
            "resource not found",
            "entity not found",
            "record not found",
            "item not found",
            "no results",
            "empty result",
        ],
    ),
    (
        Family::Data,
        &[
            "invalid format",
            "invalid value",
            "invalid type",
            "invalid input",
            "type mismatch",
            "schema validation",
            "constraint violation",
            "out of range",
            "exceeds maximum",
            "below minimum",
            "pattern mismatch",
        ],
    ),
    (
        Family::Permission,
        &[
            "unauthorized",
            "permission denied",
            "access denied",
            "forbidden",
            "not authorized",
            "insufficient permissions",
            "authentication required",
            "token expired",
            "invalid credentials",
        ],
    ),
    (
        Family::Rule,
        &[
            "already exists",
            "duplicate",
            "conflict",
            "quota exceeded",
            "limit reached",
            "not allowed",
            "precondition failed",
            "dependency not met",
        ],
    ),
    (
        Family::Operational,
        &[
            "insufficient credits",
            "no credits",
            "credit balance",
            "billing",
            "subscription",
            "plan upgrade",
            "payment required",
            "account suspended",
            "trial expired",
            "usage limit",
        ],
    ),
    (Family::RateLimit, &["rate limit", "too many requests", "throttled", "quota exceeded"]),
    (
        Family::Banking,
        &["insufficient funds", "account locked", "daily limit exceeded", "invalid iban"],
    ),
];

/// Parts of names that make a tool one that is expected to validate.
const VERBS: &[&str] = &[
    "create",
    "add",
    "insert",
    "update",
    "modify",
    "set",
    "delete",
    "remove",
    "get",
    "fetch",
    "read",
    "write",
    "query",
    "search",
    "find",
    "list",
    "entity",
    "relation",
    "node",
    "edge",
    "record",
    "move",
    "copy",
    "duplicate",
    "archive",
    "link",
    "associate",
    "connect",
    "attach",
    "scrape",
    "crawl",
    "extract",
    "parse",
    "analyze",
    "process",
];

const MCP_CODES: &[i64] = &[-32600, -32601, -32602, -32603, -32700];

/// The guide's judgement of one error.
#[derive(Debug, Clone, PartialEq)]
pub struct Business {
    /// Those that hold, in the guide's order.
    pub factors: Vec<Factor>,
    pub families: Vec<Family>,
    /// Weight of the factors that hold as a share of all, 0 to 1.
    pub confidence: f64,
    /// What the confidence must reach.
    pub threshold: f64,
}

impl Business {
    pub fn of(tool: &str, input: &Value, text: &str, code: Option<i64>) -> Business {
        let lower = text.to_lowercase();
        let families = Family::all_in(text);
        let expected = is_expected(tool);
        let holds = |factor: &Factor| match factor {
            Factor::McpCode => has_mcp_code(&lower, code),
            Factor::Pattern => !families.is_empty(),
            Factor::HttpStatus => has_http_status(&lower),
            Factor::Structured => is_structured(&lower),
            Factor::TestData => names_input(&lower, input),
            Factor::ExpectedTool => expected,
        };
        let factors: Vec<Factor> = Factor::ALL.into_iter().filter(holds).collect();
        let points: u32 = factors.iter().map(|f| f.weight()).sum();
        let total: u32 = Factor::ALL.iter().map(|f| f.weight()).sum();
        let strong = families
            .iter()
            .any(|f| matches!(f, Family::Operational | Family::RateLimit | Family::Banking));
        Business {
            factors,
            families,
            confidence: f64::from(points) / f64::from(total),
            threshold: if strong || expected { 0.2 } else { 0.5 },
        }
    }

    /// The guide's verdict: the tool works and refuses.
    pub fn is_business(&self) -> bool {
        self.confidence >= self.threshold
    }
}

/// By any part of the name, as the guide has it: `widget` contains `get`.
fn is_expected(tool: &str) -> bool {
    let name = tool.to_lowercase();
    VERBS.iter().any(|verb| name.contains(verb))
}

fn has_mcp_code(text: &str, code: Option<i64>) -> bool {
    code.is_some_and(|c| MCP_CODES.contains(&c))
        || MCP_CODES.iter().any(|c| text.contains(&c.to_string()))
}

fn has_http_status(text: &str) -> bool {
    static STATUS: LazyLock<Option<Regex>> = LazyLock::new(|| pattern::ascii(r"\b[45]\d\d\b").ok());
    STATUS.as_ref().is_some_and(|status| status.is_match(text))
}

fn is_structured(text: &str) -> bool {
    let object = serde_json::from_str::<Value>(text.trim()).is_ok_and(|v| v.is_object());
    object || ["\"error\":", "\"code\":", "\"message\":"].iter().any(|key| text.contains(key))
}

/// Whether an error names a text that was sent.
fn names_input(text: &str, input: &Value) -> bool {
    match input {
        Value::String(sent) => sent.chars().count() > 2 && text.contains(&sent.to_lowercase()),
        Value::Array(items) => items.iter().any(|item| names_input(text, item)),
        Value::Object(map) => map.values().any(|item| names_input(text, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn business(tool: &str, input: Value, text: &str) -> Business {
        Business::of(tool, &input, text, None)
    }

    #[test]
    fn weights_are_2_for_codes_patterns_and_tools_and_1_for_the_rest() {
        assert_eq!(Factor::ALL.map(Factor::weight), [2, 2, 1, 1, 1, 2]);
    }

    #[test]
    fn every_phrase_of_every_family_is_recognised_as_a_pattern() {
        for (family, phrases) in PHRASES {
            for phrase in *phrases {
                let text = format!("Sorry: {}.", phrase.to_uppercase());
                let found = business("frobnicate", json!({}), &text);
                assert!(found.families.contains(family), "{phrase}");
                assert!(found.factors.contains(&Factor::Pattern), "{phrase}");
            }
        }
    }

    #[test]
    fn every_mcp_code_counts_in_the_text_and_as_the_code_of_an_error() {
        for code in MCP_CODES {
            let told = business("frobnicate", json!({}), &format!("MCP error {code}: no"));
            assert_eq!(told.factors, [Factor::McpCode]);
            let sent = Business::of("frobnicate", &json!({}), "no", Some(*code));
            assert_eq!(sent.factors, [Factor::McpCode]);
        }
        assert!(Business::of("frobnicate", &json!({}), "no", Some(-32000)).factors.is_empty());
    }

    #[test]
    fn a_user_that_is_not_found_is_business_logic() {
        // The guide divides by the six factors and gets 66 %; by their weights it is 44 %.
        let found = business("delete_user", json!({"userId": "test-id"}), "User not found");
        assert_eq!(found.factors, [Factor::Pattern, Factor::ExpectedTool]);
        assert_eq!((found.confidence * 100.0).round(), 44.0);
        assert_eq!(found.threshold, 0.2);
        assert!(found.is_business());
    }

    #[test]
    fn the_guide_calls_a_type_error_a_failure_and_its_rule_says_otherwise() {
        // Two points of nine for the name alone are 22 %: over the threshold that the name sets.
        let text = "TypeError: Cannot read property 'id' of undefined";
        let found = business("delete_user", json!({"userId": "valid-id"}), text);
        assert_eq!(found.factors, [Factor::ExpectedTool]);
        assert!(found.is_business());
    }

    #[test]
    fn a_lack_of_credits_is_business_logic_at_the_lenient_threshold() {
        for (tool, text) in [
            ("delete_user", "Insufficient credits to perform this request"),
            ("firecrawl_scrape", "Error: Insufficient credits to perform this request"),
            (
                "frobnicate",
                "Insufficient credits to perform this request. For more credits, you can upgrade your plan.",
            ),
        ] {
            let found = business(tool, json!({"url": "https://example.com"}), text);
            assert_eq!(found.families, [Family::Operational]);
            assert_eq!(found.threshold, 0.2);
            assert!(found.is_business(), "{tool}");
        }
    }

    #[test]
    fn an_http_404_that_is_not_found_is_business_logic() {
        let found = business("get_user", json!({"userId": "invalid-id"}), "User 404: Not Found");
        let expected = [Factor::Pattern, Factor::HttpStatus, Factor::ExpectedTool];
        assert_eq!(found.factors, expected);
        assert!(found.is_business());
    }

    #[test]
    fn a_crash_of_a_tool_without_a_verb_is_a_failure() {
        let text = "TypeError: sum is not a function";
        let found = business("calculate_sum", json!({"values": [1, 2, 3]}), text);
        assert!(found.factors.is_empty());
        assert_eq!(found.threshold, 0.5);
        assert!(!found.is_business());
    }

    #[test]
    fn a_lost_database_is_a_failure() {
        let text = "Connection timeout: failed to connect to database within 5 seconds";
        assert!(!business("run_report", json!({}), text).is_business());
    }

    #[test]
    fn insufficient_funds_are_business_logic() {
        let input = json!({"amount": 1000, "to": "account-123"});
        let found = business("transfer_funds", input, "Insufficient funds in account");
        assert_eq!((found.factors.as_slice(), found.threshold), (&[Factor::Pattern][..], 0.2));
        assert!(found.is_business());
    }

    #[test]
    fn a_structured_error_raises_the_confidence() {
        let text = json!({"code": "INVALID_INPUT", "message": "Invalid format"}).to_string();
        let structured = business("delete_user", json!({}), &text);
        assert!(structured.factors.contains(&Factor::Structured) && structured.is_business());
        let plain = business("delete_user", json!({}), "Invalid format");
        assert!(structured.confidence > plain.confidence);
    }

    #[test]
    fn an_error_that_names_what_was_sent_validates_it() {
        let found = business("frobnicate", json!({"a": ["Bonn"]}), "bonn is too small");
        assert_eq!(found.factors, [Factor::TestData]);
        assert!(
            !business("x", json!({"a": "it"}), "it failed").factors.contains(&Factor::TestData)
        );
    }

    #[test]
    fn other_tools_need_half_of_the_weight() {
        let text = "MCP error -32602: invalid value 42";
        let four_of_nine = business("frobnicate", json!({}), text);
        assert_eq!(four_of_nine.factors, [Factor::McpCode, Factor::Pattern]);
        assert!(!four_of_nine.is_business());
        let five = business("frobnicate", json!({"zone": "Mars"}), &format!("{text} for Mars"));
        assert!(five.is_business());
    }
}
