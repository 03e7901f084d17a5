//! Connections that trust any certificate.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, HabitKind};

pub(super) const CHECK: Check = Check {
    id: "security/unverified-tls",
    title: "The source verifies whom it talks to",
    facet: Facet::SourceCode,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("unverified_tls.md"),
    judge,
};

const FIX: &str =
    "leave verification on; for a private authority add its certificate to the trusted ones";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    coded::suspicions(
        evidence,
        HabitKind::TlsUnverified,
        "no verification of certificates is switched off",
        FIX,
    )
}
