//! Ascending and descending are not the same order.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::check::{Check, Facet, Finding, Revisions, Severity, per_tool};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::words;
use crate::probes::{sorts, valid_call};
use crate::response::{Answer, field, is_accepted, records};

pub(super) const CHECK: Check = Check {
    id: "functionality/sort-honoured",
    title: "The order asked for is honoured",
    facet: Facet::ScenarioCoverage,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &sorts::PROBE],
    page: include_str!("sort_honoured.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    per_tool(evidence, verdict)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let (name, ..) = sorts::parameter(tool)?;
    let labelled =
        |label: &str| evidence.of_tool(sorts::PROBE.id, &tool.name).find(|x| x.label == label);
    let (up, down) = (labelled(sorts::UP)?, labelled(sorts::DOWN)?);
    let subject = up.subject.clone();
    for x in [up, down] {
        if let Answer::Unseen(why) = Answer::of(evidence, x) {
            return Some(Finding::unseen(subject, why).seen_in(x.id));
        }
    }
    if !is_accepted(evidence, up) || !is_accepted(evidence, down) {
        return None;
    }
    let (rising, falling) = (records(&up.reply), records(&down.reply));
    let finding = match () {
        () if rising.len() < 3 => return None,
        () if rising != falling => Finding::pass(
            subject,
            format!("`{name}` changes the order of {} entries", rising.len()),
        ),
        // Entries that are equal in what they are sorted by may keep their places.
        () if !differs(&rising, &key(up)?) => return None,
        () => Finding::fail(
            subject,
            format!("`{name}` does nothing: {} entries come in the same order", rising.len()),
            format!("sort by what is asked for, in the direction that `{name}` says"),
        ),
    };
    Some(finding.seen_in(up.id).seen_in(down.id))
}

/// What the call asked to sort by.
fn key(exchange: &Exchange) -> Option<String> {
    let arguments = exchange.arguments()?.as_object()?;
    let by = |name: &str| {
        words(name).iter().any(|w| matches!(w.as_str(), "by" | "field" | "column" | "key"))
    };
    let named = arguments.iter().find(|(name, value)| by(name) && value.is_string());
    named.and_then(|(_, value)| value.as_str()).map(str::to_owned)
}

fn differs(entries: &[Map<String, Value>], key: &str) -> bool {
    let shown: BTreeSet<String> =
        entries.iter().filter_map(|e| field(e, key)).map(Value::to_string).collect();
    shown.len() > 1
}
