//! The requirement table of a report: every requirement in every revision that was spoken.

use super::RequirementReport;
use crate::check::Judged;
use crate::evidence::Evidence;
use crate::revision::Revision;
use crate::spec::{self, Conversation, Requirement, Ruled, Ruling};

/// In the order of the table, then oldest revision first.
pub(super) fn requirements(evidence: &Evidence, judged: &[Judged]) -> Vec<RequirementReport> {
    let talks = Conversation::all(evidence).into_iter().chain(Conversation::at_the_door(evidence));
    let spoken: Vec<Revision> = talks.map(|talk| talk.revision).collect();
    let ruled = spec::table(judged, evidence.revision());
    let mut rows = Vec::new();
    for row in spec::requirements() {
        for revision in spoken.iter().copied() {
            // A row of another revision says nothing that the table does not say already.
            let Some(level) = row.level(revision) else { continue };
            let found = ruled.iter().find(|r| r.requirement == row.id && r.revision == revision);
            let ruling = found.map_or_else(|| left_out(evidence, row, judged), ruling);
            rows.push(RequirementReport {
                id: &row.id,
                revision,
                level,
                verdict: ruling.verdict,
                partial: ruling.partial,
                says: ruling.says,
                fix: ruling.fix,
                seen_in: ruling.seen_in,
            });
        }
    }
    rows
}

fn ruling(ruled: &Ruled) -> Ruling {
    ruled.ruling.clone()
}

/// Why no check has ruled.
fn left_out(evidence: &Evidence, row: &Requirement, judged: &[Judged]) -> Ruling {
    let transport = evidence.conditions.transport;
    let serves = |j: &&Judged| j.check.requirements.iter().any(|r| r.requirement == row.id);
    if !row.covers(transport) {
        Ruling::not_applicable("another transport")
    } else if let Some(why) = &row.uncovered {
        Ruling::not_testable(why)
    } else if let Some(why) = evidence.why_unseen() {
        Ruling::not_testable(why)
    } else if judged.iter().any(|j| serves(&j)) {
        Ruling::not_testable("only seen in the revision of the main connection")
    } else {
        Ruling::not_testable("the check that serves it was not asked for")
    }
}
