//! Definitions that are no longer those of the baseline.

use std::collections::BTreeSet;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::drift::{self, Shift, shifts};
use crate::evidence::{Evidence, Subject};
use crate::pin::{Pin, Pinned, PinnedKind};
use crate::proof::Proof;

pub(super) const CHECK: Check = Check {
    id: "security/definition-drift",
    title: "Definitions are those of the baseline",
    facet: Facet::Temporal,
    severity: Severity::High,
    class: Some(Class::RugPull),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("definition_drift.md"),
    judge,
};

const FIX: &str = "read what changed as you would a new tool; if you approve it, write the baseline again with `proofmark pin`";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some(baseline) = &evidence.conditions.baseline else { return Vec::new() };
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let now = Pin::of(evidence);
    let names = |pin: &Pin| -> Vec<(PinnedKind, String)> {
        pin.definitions.iter().map(|d| (d.kind, d.name.clone())).collect()
    };
    let all: BTreeSet<(PinnedKind, String)> =
        names(baseline).into_iter().chain(names(&now)).collect();
    let asked = |(kind, name): &&(PinnedKind, String)| {
        *kind != PinnedKind::Tool || evidence.conditions.scope.includes_tool(name)
    };
    all.iter()
        .filter(asked)
        .filter_map(|(kind, name)| verdict(baseline.find(*kind, name), now.find(*kind, name)))
        .collect()
}

fn verdict(before: Option<&Pinned>, now: Option<&Pinned>) -> Option<Finding> {
    match (before, now) {
        (None, None) => None,
        (None, Some(now)) => Some(Finding::fail(subject(now), "is not in the baseline", FIX)),
        (Some(before), None) => {
            Some(Finding::fail(subject(before), "is gone since the baseline", FIX))
        }
        (Some(before), Some(now)) if before.hash == now.hash => {
            Some(Finding::pass(subject(now), format!("as pinned, {}", &now.hash)))
        }
        (Some(before), Some(now)) => Some(changed(before, now)),
    }
}

fn changed(before: &Pinned, now: &Pinned) -> Finding {
    let shifts = shifts(&before.definition, &now.definition);
    let what = match shifts.is_empty() {
        true => "only in numbers, order or what models do not read".to_owned(),
        false => drift::told(&shifts),
    };
    let finding = Finding::fail(subject(now), format!("changed since the baseline: {what}"), FIX);
    match shifts.iter().any(Shift::is_grave) {
        true => {
            finding.proven(Proof::Quoted { text: what, rule: format!("pinned {}", before.hash) })
        }
        false => finding,
    }
}

fn subject(of: &Pinned) -> Subject {
    match of.kind {
        PinnedKind::Instructions => Subject::Server,
        PinnedKind::Tool => Subject::tool_named(&of.name),
        PinnedKind::Resource | PinnedKind::Template => Subject::Resource { uri: of.name.clone() },
        PinnedKind::Prompt => Subject::Prompt { prompt: of.name.clone() },
    }
}
