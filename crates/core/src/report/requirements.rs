//! The requirement table of a report: every requirement in every revision that was spoken.

use super::{RequirementReport, SdkSummary};
use crate::check::{Finding, Judged};
use crate::evidence::Evidence;
use crate::revision::Revision;
use crate::spec::{self, Conversation, Fault, Origin, Requirement, Ruled, Ruling, Verdict};
use crate::target::Transport;

/// In the order of the table, then oldest revision first.
pub(super) fn requirements(evidence: &Evidence, judged: &[Judged]) -> Vec<RequirementReport> {
    let talks = Conversation::all(evidence).into_iter().chain(Conversation::at_the_door(evidence));
    let spoken: Vec<Revision> = talks.map(|talk| talk.revision).collect();
    let ruled = spec::table(judged, evidence);
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
                origin: None,
                seen_in: ruling.seen_in,
            });
        }
    }
    rows
}

fn ruling(ruled: &Ruled) -> Ruling {
    ruled.ruling.clone()
}

/// Says of every fault whether it comes with the SDK.
pub(super) fn trace(
    rows: &mut [RequirementReport],
    sdk: Option<&SdkSummary>,
    transport: Transport,
) {
    for row in rows.iter_mut().filter(|r| r.is_fault()) {
        let fault = Fault {
            requirement: row.id,
            revision: row.revision,
            transport,
            partial: row.verdict != Verdict::Fail,
        };
        row.origin = Some(spec::origin(sdk, &fault));
    }
}

/// What to do about a finding; the author can't fix what comes with the SDK in every revision.
pub(super) fn fix(finding: &Finding, rows: &[RequirementReport]) -> Option<String> {
    let fix = finding.fix.clone()?;
    let of_it = |r: &&RequirementReport| Some(r.id) == finding.requirement;
    let mut origins: Vec<&Origin> =
        rows.iter().filter(of_it).filter_map(|r| r.origin.as_ref()).collect();
    origins.dedup();
    Some(match origins[..] {
        [Origin::Inherited { sdk, fixed_in: Some(release) }] => {
            format!("upgrade to {release}: this comes with {sdk}")
        }
        [Origin::Inherited { sdk, fixed_in: None }] => {
            format!("this comes with {sdk}, to be fixed there: {fix}")
        }
        _ => fix,
    })
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
        Ruling::not_testable("the checks that serve it were not asked for; `assess` runs them all")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Subject;
    use crate::spec::Level;

    fn row(id: &'static str, revision: Revision, origin: Option<Origin>) -> RequirementReport {
        let ruling = Ruling::fail("not so", "do it");
        RequirementReport {
            id,
            revision,
            level: Level::Must,
            verdict: ruling.verdict,
            partial: false,
            says: ruling.says,
            fix: ruling.fix,
            origin,
            seen_in: Vec::new(),
        }
    }

    fn advice(origins: [Option<Origin>; 2]) -> Option<String> {
        let [older, newer] = origins;
        let rows = [
            row("RPC-08", Revision::V2025_06_18, older),
            row("RPC-08", Revision::V2025_11_25, newer),
            row("RPC-10", Revision::V2025_11_25, Some(Origin::Own)),
        ];
        let finding = Finding::fail(Subject::Server, "not so", "do it");
        fix(&Finding { requirement: Some("RPC-08"), ..finding }, &rows)
    }

    fn inherited(fixed_in: Option<&str>) -> Option<Origin> {
        let fixed_in = fixed_in.map(str::to_owned);
        Some(Origin::Inherited { sdk: "mcp 1.30.0".to_owned(), fixed_in })
    }

    #[test]
    fn the_fix_of_what_comes_with_the_sdk_is_an_upgrade_or_lies_there() {
        let upgrade = advice([inherited(Some("mcp 2.3.0")), inherited(Some("mcp 2.3.0"))]);
        assert_eq!(upgrade.as_deref(), Some("upgrade to mcp 2.3.0: this comes with mcp 1.30.0"));
        let there = advice([None, inherited(None)]);
        let told = "this comes with mcp 1.30.0, to be fixed there: do it";
        assert_eq!(there.as_deref(), Some(told));
    }

    #[test]
    fn what_is_own_in_one_revision_is_for_the_author() {
        let own = advice([inherited(None), Some(Origin::Own)]);
        assert_eq!(own.as_deref(), Some("do it"));
        assert_eq!(advice([Some(Origin::Unknown), None]).as_deref(), Some("do it"));
    }
}
