//! Definitions that become others after approval: after some calls, on a later connection, or for
//! another client.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::drift::{self, Shift};
use crate::evidence::{Evidence, Subject};
use crate::probes::definitions::{Cause, LISTS, PROBE, Telling, tellings};
use crate::probes::{fixed_input, listings, profiles, repeat, revisions, valid_call};
use crate::proof::Proof;

pub(super) const CHECK: Check = Check {
    id: "security/definitions-change",
    title: "Definitions stay what they were, whoever asks and however often",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::RugPull),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[
        &valid_call::PROBE,
        &repeat::PROBE,
        &revisions::PROBE,
        &listings::PROBE,
        &profiles::PROBE,
        &fixed_input::PROBE,
        &PROBE,
    ],
    page: include_str!("definitions_change.md"),
    judge,
};

const FIX: &str = "describe a tool the same way to every client and for as long as it runs; announce a real change with `list_changed`, so that it can be approved again";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    LISTS.into_iter().flat_map(|method| of_list(evidence, method)).collect()
}

fn of_list(evidence: &Evidence, method: &'static str) -> Vec<Finding> {
    let all = tellings(evidence, method);
    let mut by_name: BTreeMap<&str, Vec<&Telling<'_>>> = BTreeMap::new();
    for telling in &all {
        by_name.entry(telling.name).or_default().push(telling);
    }
    if by_name.is_empty() && method == LISTS[0] && !evidence.inventory.tools.is_empty() {
        return vec![Finding::unseen(Subject::Server, "the tools were listed only once")];
    }
    by_name.into_iter().map(|(name, of)| verdict(evidence, method, name, &of)).collect()
}

fn verdict(evidence: &Evidence, method: &str, name: &str, all: &[&Telling<'_>]) -> Finding {
    let subject = match method == LISTS[0] {
        true => Subject::tool_named(name),
        false => Subject::Prompt { prompt: name.to_owned() },
    };
    let changed = all.iter().filter(|t| !t.shifts.is_empty());
    let told = changed.filter_map(|t| Some((*t, Cause::of(evidence, method, all, t)?)));
    // What is certain counts more than what came first.
    let worst = told.max_by_key(|(t, cause)| {
        (
            *cause != Cause::Unknown && t.shifts.iter().any(Shift::is_grave),
            std::cmp::Reverse(t.x.id),
        )
    });
    let Some((telling, cause)) = worst else {
        let says = format!("told {} times, always the same", all.len() + 1);
        return Finding::pass(subject, says);
    };
    let what = drift::told(&telling.shifts);
    let finding = Finding::fail(subject, format!("{}: {what}", cause.told()), FIX)
        .seen_in(telling.first.id)
        .seen_in(telling.x.id);
    let grave = telling.shifts.iter().any(Shift::is_grave);
    match cause {
        Cause::Unknown => finding,
        Cause::Later | Cause::Ordered | Cause::Start | Cause::Name(_) if !grave => finding,
        Cause::Later | Cause::Ordered | Cause::Start | Cause::Name(_) => {
            finding.proven(Proof::Contradiction { a: telling.first.id, b: telling.x.id })
        }
    }
}
