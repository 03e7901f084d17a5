//! How new the newest revision is that the server speaks.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "protocol/current-revision",
    title: "The server speaks a current revision of the protocol",
    facet: Facet::ModernProtocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("current_revision.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "update the MCP SDK to a release that negotiates 2025-06-18 or newer";
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let Some(handshake) = &evidence.handshake else {
        return vec![Finding::unseen(Subject::Server, "no session was opened")];
    };
    let revision = handshake.revision;
    let says = format!("the newest revision it speaks is {revision}");
    let finding = match revision {
        Revision::V2025_06_18 | Revision::V2025_11_25 | Revision::V2026_07_28 => {
            Finding::pass(Subject::Server, format!("it speaks {revision}"))
        }
        // We asked for no more, so it could not show more.
        Revision::V2025_03_26 | Revision::V2024_11_05
            if evidence.conditions.pinned == Some(revision) =>
        {
            Finding::unseen(Subject::Server, format!("the run was pinned to {revision}"))
        }
        Revision::V2025_03_26 => Finding::partial(Subject::Server, Grade::new(0.5), says, FIX),
        Revision::V2024_11_05 => Finding::fail(Subject::Server, says, FIX),
    };
    vec![finding.seen_in(handshake.exchange)]
}
