//! A call without a required parameter is refused.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::{missing_required::PROBE, valid_call};
use crate::response::Refusal;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/missing-required",
    title: "Calls without a required parameter are refused",
    facet: Facet::InputValidation,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-21"), served("TOOL-22"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &PROBE],
    page: include_str!("missing_required.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "refuse calls that lack a parameter listed in `required`, with `isError: true` and its name; or take it off the list if the tool can do without";
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let in_scope = |x: &&Exchange| {
        x.subject.tool().is_some_and(|tool| evidence.conditions.scope.includes_tool(tool))
    };
    evidence
        .of(PROBE.id)
        .filter(in_scope)
        .map(|x| Refusal::of(evidence, x).finding(x, "a call without it", FIX))
        .collect()
}
