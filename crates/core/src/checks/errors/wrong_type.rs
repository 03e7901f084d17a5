//! A value of the wrong type is refused.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::{valid_call, wrong_type::PROBE};
use crate::response::{Refusal, quote};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/wrong-type",
    title: "Values of the wrong type are refused",
    facet: Facet::InputValidation,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-21"), served("TOOL-22"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &PROBE],
    page: include_str!("wrong_type.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "validate arguments against `inputSchema` before the tool runs, and refuse with `isError: true` and the name of the parameter";
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let in_scope = |x: &&Exchange| {
        x.subject.tool().is_some_and(|tool| evidence.conditions.scope.includes_tool(tool))
    };
    evidence
        .of(PROBE.id)
        .filter(in_scope)
        .map(|x| Refusal::of(evidence, x).finding(x, &wrong_value(x), FIX))
        .collect()
}

/// The value that was sent, e.g. "42".
fn wrong_value(exchange: &Exchange) -> String {
    let value = match &exchange.subject {
        Subject::Param { pointer, .. } => exchange.arguments().and_then(|a| a.pointer(pointer)),
        Subject::Server
        | Subject::Tool { .. }
        | Subject::Resource { .. }
        | Subject::Prompt { .. }
        | Subject::File { .. } => None,
    };
    value.map_or_else(|| "a wrong value".to_owned(), |v| quote(&v.to_string()))
}
