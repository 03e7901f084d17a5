//! A call without a required parameter is refused.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::Evidence;
use crate::probes::valid_call;
use crate::probes::wrong_input::{Kind, MISSING_REQUIRED};
use crate::response::refusals;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/missing-required",
    title: "Calls without a required parameter are refused",
    facet: Facet::InputValidation,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-21"), served("TOOL-22"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &MISSING_REQUIRED],
    page: include_str!("missing_required.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "refuse calls that lack a parameter listed in `required`, with `isError: true` and its name; or take it off the list if the tool can do without";
    refusals(evidence, &[Kind::MissingRequired], FIX)
}
