//! Who is to blame for an error: what we sent, the surroundings, or the tool.

use std::sync::LazyLock;

use regex::Regex;

use super::{Basis, Family, Trouble, has_stack_trace};
use crate::pattern;

/// The stricter rule: names of tools do not enter, what we know of the input does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blame {
    /// Business logic: the input was looked at and rightly refused.
    Input,
    /// Something outside is missing: a key, a network, a program.
    Surroundings,
    /// The tool refused, without a reason we can check, what its schema allows.
    Tool,
    /// The tool's own code failed.
    Code,
}

impl Blame {
    pub fn of(text: &str, code: Option<i64>, basis: Basis) -> Blame {
        const METHOD_NOT_FOUND: i64 = -32601;
        // A friendly word in a call stack does not make it a refusal.
        if has_stack_trace(text) {
            return Blame::Code;
        }
        if code == Some(METHOD_NOT_FOUND) || disowns_tool(text) {
            return Blame::Tool;
        }
        let unless = |excused: bool| if excused { Blame::Tool } else { Blame::Input };
        match Trouble::of(text) {
            Trouble::Bug => Blame::Code,
            Trouble::Credential
            | Trouble::Network
            | Trouble::Limit
            | Trouble::Software
            | Trouble::Storage => Blame::Surroundings,
            Trouble::State => Blame::Input,
            Trouble::NotFound => unless(basis.exists()),
            Trouble::Value => unless(basis.is_understood()),
            Trouble::Shape => Blame::Tool,
            Trouble::Other => {
                let blame = by_family(text);
                // It tells no reason, so what we made up may be one.
                let excused = blame == Blame::Tool && basis == Basis::Invented;
                if excused { Blame::Input } else { blame }
            }
        }
    }
}

/// Phrases that only the guide's families know, such as a lack of credits.
fn by_family(text: &str) -> Blame {
    match Family::all_in(text).last() {
        Some(Family::Operational | Family::RateLimit) => Blame::Surroundings,
        Some(Family::Rule | Family::Banking) => Blame::Input,
        Some(Family::Resource | Family::Data | Family::Permission) | None => Blame::Tool,
    }
}

/// A listed tool that the server says it does not know.
fn disowns_tool(text: &str) -> bool {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r#"(?i)(unknown|no such) tool\b|\btool:? ?['"`]?[\w.-]+['"`]? (is |was )?(not found|unknown|does not exist)"#).ok()
    });
    WORDS.as_ref().is_some_and(|words| words.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_error_is_business_on_an_invented_id_and_a_defect_on_a_known_one() {
        let text = "Note n-17 not found";
        assert_eq!(Blame::of(text, None, Basis::Invented), Blame::Input);
        assert_eq!(Blame::of(text, None, Basis::Plain), Blame::Input);
        assert_eq!(Blame::of(text, None, Basis::Chained), Blame::Tool);
        assert_eq!(Blame::of(text, None, Basis::Planted), Blame::Tool);
    }

    #[test]
    fn an_error_without_a_reason_is_a_defect_unless_we_made_something_up() {
        assert_eq!(Blame::of("failed: ", None, Basis::Plain), Blame::Tool);
        assert_eq!(Blame::of("failed: ", None, Basis::Chained), Blame::Tool);
        assert_eq!(Blame::of("failed: ", None, Basis::Invented), Blame::Input);
    }

    #[test]
    fn a_documented_value_must_be_understood_and_need_not_exist() {
        assert_eq!(Blame::of("PROJ-1 not found", None, Basis::Documented), Blame::Input);
        assert_eq!(Blame::of("invalid zone", None, Basis::Documented), Blame::Tool);
        assert_eq!(Blame::of("invalid zone", None, Basis::Plain), Blame::Input);
    }

    #[test]
    fn a_stack_trace_is_a_failure_even_with_a_friendly_word_in_it() {
        let text = "User not found\nTraceback (most recent call last):\n  File \"a.py\", line 3";
        assert_eq!(Blame::of(text, None, Basis::Invented), Blame::Code);
        let text = "TypeError: Cannot read property 'id' of undefined";
        assert_eq!(Blame::of(text, None, Basis::Invented), Blame::Code);
    }

    #[test]
    fn what_is_missing_outside_is_nobodys_defect() {
        for text in [
            "Insufficient credits to perform this request",
            "connect ECONNREFUSED 127.0.0.1:5432",
            "429 Too Many Requests",
        ] {
            assert_eq!(Blame::of(text, None, Basis::Chained), Blame::Surroundings, "{text}");
        }
    }

    #[test]
    fn a_tool_that_is_listed_and_unknown_is_at_fault() {
        assert_eq!(Blame::of("Unknown tool: search", None, Basis::Invented), Blame::Tool);
        let table = "Error executing tool read: Table t not found";
        assert_eq!(Blame::of(table, None, Basis::Invented), Blame::Input);
        assert_eq!(Blame::of("Method not found", Some(-32601), Basis::Invented), Blame::Tool);
        assert_eq!(Blame::of("Tool search not found", Some(-32602), Basis::Plain), Blame::Tool);
    }
}
