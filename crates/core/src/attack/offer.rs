//! What a tool openly offers to do with a text. An open offer is no hole, but people should see it.

use std::sync::LazyLock;

use regex::Regex;

use crate::arguments::described;
use crate::check::Finding;
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::pattern;
use crate::probe::words;
use crate::proof::Proof;

/// Ordered by how much is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Offer {
    Nothing,
    /// Expressions of a small language: what they compute is what was asked for, more is not.
    Expressions,
    /// Statements, programs or command lines: whatever they do was asked for.
    Execution,
}

/// A hole is proven, unless the tool openly offers this much or more: then people should judge.
pub fn proven_unless(
    offered: Offer,
    evidence: &Evidence,
    x: &Exchange,
    finding: Finding,
    proof: Proof,
) -> Finding {
    if offer(evidence, x) >= offered { finding } else { finding.proven(proof) }
}

/// A parameter that holds what is executed, and words of the tool that say that it will be.
struct Claim {
    offer: Offer,
    parameter: &'static [&'static str],
    says: &'static str,
}

const CLAIMS: &[Claim] = &[
    Claim {
        offer: Offer::Execution,
        parameter: &["command", "cmd", "commands", "shell", "script", "bash", "commandline"],
        says: r"(run|execut|spawn|launch)\w*\b.{0,40}\b(command|shell|script|bash|terminal|process|program)|shell command|command line|terminal",
    },
    Claim {
        offer: Offer::Execution,
        parameter: &[
            "code",
            "script",
            "source",
            "program",
            "snippet",
            "function",
            "javascript",
            "python",
        ],
        says: r"(run|execut|evaluat|interpret)\w*\b.{0,40}\b(code|script|program|snippet|javascript|python|function)|sandbox|repl\b",
    },
    Claim {
        offer: Offer::Execution,
        parameter: &["sql", "query", "statement", "queries"],
        says: r"\bsql\b|\b(select|insert|update|delete) (quer|statement)|\bcypher\b|\bsparql\b",
    },
    Claim {
        offer: Offer::Expressions,
        parameter: &["expression", "expr", "formula", "template", "filter", "jq", "query", "path"],
        says: r"jsonata|jmespath|jsonpath|\bjq\b|\bcel\b|xpath|jinja|handlebars|mustache|liquid|template (engine|syntax|expression)|\{\{.{0,80}\b(comput|calculat|evaluat)ed|expression language|formula|sandbox|mongo\w* (filter|query)|query operators?|\$(eq|ne|gt|in|regex|where)\b",
    },
];

static SAYS: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| CLAIMS.iter().map(|claim| pattern::ascii(claim.says).ok()).collect());

/// Words that take an offer back: only some of it is meant.
static BOUNDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(r"allow-?list|whitelist|allowed (commands?|operations?)|safely|read-only (commands?|shell)|only (the )?(following|these)|restricted to").ok()
});

/// What is openly offered for the parameter that a call is about. A name alone offers nothing, and
/// neither do words alone.
pub fn offer(evidence: &Evidence, exchange: &Exchange) -> Offer {
    let Subject::Param { tool, pointer } = &exchange.subject else { return Offer::Nothing };
    evidence.tool(tool).map_or(Offer::Nothing, |tool| of_parameter(tool, pointer))
}

/// The name that a pointer leads to.
fn last(pointer: &str) -> &str {
    pointer.split('/').rfind(|part| part.parse::<u32>().is_err()).unwrap_or_default()
}

/// The words about a parameter.
pub(super) fn about(tool: &Tool, pointer: &str) -> String {
    described(tool, pointer)
}

pub(super) fn of_parameter(tool: &Tool, pointer: &str) -> Offer {
    let named = words(last(pointer));
    let about = about(tool, pointer);
    let told = [words(&tool.name).join(" "), tool.description.clone().unwrap_or_default(), about];
    let told = told.join(". ").to_lowercase();
    if BOUNDS.as_ref().is_some_and(|b| b.is_match(&told)) {
        return Offer::Nothing;
    }
    let claims = CLAIMS.iter().zip(SAYS.iter()).filter(|(claim, says)| {
        named.iter().any(|w| claim.parameter.contains(&w.as_str()))
            && says.as_ref().is_some_and(|s| s.is_match(&told))
    });
    claims.map(|(claim, _)| claim.offer).max().unwrap_or(Offer::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn offered(name: &str, about: &str, parameter: &str) -> Offer {
        let snippet = format!(
            r#"{{"tools": [{{"name": "{name}", "description": "{about}"}}], "exchanges":
                [{{"probe": "x", "tool": "{name}", "param": "/{parameter}", "reply": {{"text": "y"}}}}]}}"#
        );
        let evidence = pages::evidence(&snippet).unwrap();
        offer(&evidence, &evidence.transcript[1])
    }

    #[test]
    fn what_is_executed_by_design_is_offered_openly() {
        assert_eq!(offered("run", "Run a shell command", "command"), Offer::Execution);
        assert_eq!(offered("read_query", "Execute a SELECT query", "query"), Offer::Execution);
        assert_eq!(offered("python", "Executes Python code", "code"), Offer::Execution);
        assert_eq!(
            offered("transform", "Apply a JSONata expression", "expression"),
            Offer::Expressions
        );
    }

    #[test]
    fn names_alone_and_words_alone_offer_nothing() {
        assert_eq!(offered("ping", "Ping a host", "command"), Offer::Nothing);
        assert_eq!(offered("ping", "Runs the ping command", "host"), Offer::Nothing);
        assert_eq!(offered("find_user", "Find a user by name", "query"), Offer::Nothing);
        assert_eq!(offered("calculate", "Evaluate arithmetic", "expression"), Offer::Nothing);
    }

    #[test]
    fn an_offer_within_bounds_is_none() {
        let about = "Run a shell command. Allowed commands: ls, cat";
        assert_eq!(offered("run", about, "command"), Offer::Nothing);
    }
}
