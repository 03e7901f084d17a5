//! Values and parameters that the schema rules out are refused.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::probes::valid_call;
use crate::probes::wrong_input::{
    EMPTY, EXTRA_PARAMETER, INVALID_FORMAT, Kind, OUT_OF_ENUM, OUT_OF_RANGE, PATTERN_VIOLATED,
};
use crate::response::{Refusal, quote, refusals};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/invalid-values",
    title: "Values and parameters that the schema rules out are refused",
    facet: Facet::InputValidation,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-21"), served("TOOL-22"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[
        &valid_call::PROBE,
        &EXTRA_PARAMETER,
        &OUT_OF_ENUM,
        &OUT_OF_RANGE,
        &PATTERN_VIOLATED,
        &EMPTY,
        &INVALID_FORMAT,
    ],
    page: include_str!("invalid_values.md"),
    judge,
};

const KINDS: &[Kind] =
    &[Kind::ExtraParameter, Kind::OutOfEnum, Kind::OutOfRange, Kind::PatternViolated, Kind::Empty];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "enforce what `inputSchema` promises (`enum`, bounds, lengths, `pattern`, `additionalProperties`) before the tool runs, or take the rule out of the schema";
    let mut findings = refusals(evidence, KINDS, FIX);
    if evidence.is_up() {
        findings.extend(evidence.tools().filter_map(|tool| loose_format(evidence, tool)));
    }
    findings
}

/// For review only: the specification of JSON Schema leaves it to validators whether they look.
fn loose_format(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    const FIX: &str =
        "turn on format checks in the validator, or parse the value and refuse what does not parse";
    let mut calls = evidence.of_tool(INVALID_FORMAT.id, &tool.name);
    calls.find_map(|x| match Refusal::of(evidence, x) {
        Refusal::Accepted(text) => {
            let says = format!("a value in another `format` is accepted: \"{}\"", quote(&text));
            let subject: Subject = x.subject.clone();
            Some(Finding::fail(subject, says, FIX).suspected().seen_in(x.id))
        }
        Refusal::Clean(_)
        | Refusal::Stumbled(_)
        | Refusal::Disguised(_)
        | Refusal::Crashed
        | Refusal::Broken(_)
        | Refusal::Unseen(_) => None,
    })
}
