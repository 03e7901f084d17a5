//! Addresses that let the whole network in.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, HabitKind};

pub(super) const CHECK: Check = Check {
    id: "security/bound-in-source",
    title: "The source listens on loopback unless told otherwise",
    facet: Facet::SourceCode,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("bound_in_source.md"),
    judge,
};

const FIX: &str = "bind to 127.0.0.1 by default, and let those who run it elsewhere say so";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    coded::suspicions(
        evidence,
        HabitKind::BindsEverywhere,
        "no address for every interface is written down",
        FIX,
    )
}
