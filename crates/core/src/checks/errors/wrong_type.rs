//! A value of the wrong type is refused.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::Evidence;
use crate::probes::valid_call;
use crate::probes::wrong_input::{AS_TEXT, Kind, NULL, WRONG_TYPE};
use crate::response::refusals;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/wrong-type",
    title: "Values of the wrong type are refused",
    facet: Facet::InputValidation,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-21"), served("TOOL-22"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &WRONG_TYPE, &NULL, &AS_TEXT],
    page: include_str!("wrong_type.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "validate arguments against `inputSchema` before the tool runs, and refuse with `isError: true` and the name of the parameter";
    refusals(evidence, &[Kind::WrongType, Kind::Null, Kind::AsText], FIX)
}
