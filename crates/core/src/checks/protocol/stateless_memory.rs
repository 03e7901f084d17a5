//! Whether a stateless server really remembers nothing, and has left the old methods behind.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::fresh_stateless::{self, CALL, CALL_AGAIN, FIRST, LATER};
use crate::probes::{removed_methods, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/stateless-memory",
    title: "Stateless requests stand alone, and removed methods are gone",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[
        rule("LIFE-19", alone),
        rule("LIFE-20", same_lists),
        rule("LIFE-22", removed),
        rule("TOOL-34", handles),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &fresh_stateless::PROBE, &removed_methods::PROBE],
    page: include_str!("stateless_memory.md"),
    judge: by_rules,
};

/// The calls on the untouched connection are not part of any session, so not of the conversation.
fn fresh<'a>(talk: &Conversation<'a>, label: &str) -> Option<&'a Exchange> {
    talk.evidence.of(fresh_stateless::PROBE.id).find(|x| x.label == label)
}

fn first<'a>(talk: &Conversation<'a>) -> Result<&'a Exchange, Ruling> {
    fresh(talk, FIRST).ok_or_else(|| Ruling::unseen("no stateless request was sent first"))
}

/// What was created in another process may be gone in this one, so only a call that is refused at
/// first and taken later on the same connection tells that the connection was what it hung on.
fn handles(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let called = fresh(talk, CALL).zip(fresh(talk, CALL_AGAIN));
    let none = || Ruling::not_testable("no working tool takes the name of a thing");
    let (first, again) = called.ok_or_else(none)?;
    let works = |x: &Exchange| x.result().is_some() && !x.reply.is_tool_error();
    let fix = "let a call depend on its arguments, not on what was said before on the connection";
    match (works(first), works(again)) {
        (true, _) => Ok(Ruling::pass("what was named elsewhere is found on a fresh connection")),
        (false, true) => {
            let says = format!("{CALL}: {}; the same call later works", talk.shown(first));
            Ok(Ruling::fail(says, fix))
        }
        (false, false) => Err(Ruling::not_testable(format!("{CALL}: {}", talk.shown(first)))),
    }
    .map(|ruling| ruling.seen_in(first.id).seen_in(again.id))
}

fn alone(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = first(talk)?;
    let says = format!("{FIRST}: {}", talk.shown(x));
    let declared = talk.declares("tools");
    Ok(match &*x.reply {
        Reply::Result { .. } => Ruling::pass(says),
        Reply::Error { .. } if !declared => Ruling::pass(says),
        Reply::Error { .. } if talk.fails_anyway(x, "tools/list") => Ruling::unseen(says),
        Reply::Error { .. } | Reply::Malformed { .. } | Reply::Silence => {
            Ruling::fail(says, "serve every request by what it says itself, also the first")
        }
        Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            Ruling::unseen(says)
        }
    }
    .seen_in(x.id))
}

fn names(result: &Value) -> BTreeSet<&str> {
    let tools = result["tools"].as_array().map_or(&[][..], Vec::as_slice);
    tools.iter().filter_map(|t| t["name"].as_str()).collect()
}

fn same_lists(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs("tools")?;
    let fresh = first(talk)?;
    let fresh_list = fresh.result().ok_or_else(|| Ruling::unseen("the fresh list was not seen"))?;
    let (used, used_list) = talk.result(fresh_stateless::PROBE.id, LATER)?;
    // Clients that declare other things may see other tools, so each list is held against one of
    // the same client.
    let pages = talk.first_pages("tools/list");
    let mut pairs = vec![("connections", (fresh, fresh_list), (used, used_list))];
    for (i, later) in pages.iter().enumerate() {
        let before = pages.iter().take(i).find(|(x, _)| x.on == later.0.on);
        pairs.extend(before.map(|before| ("earlier and later", *before, *later)));
    }
    let rulings = pairs.into_iter().map(|(between, (x, list), (y, other))| {
        let odd: Vec<&str> = names(list).symmetric_difference(&names(other)).copied().collect();
        match odd.is_empty() {
            true => Ruling::pass("the same tools on a fresh connection, on one in use, and later"),
            false => Ruling::fail(
                format!("lists differ between {between}: {}", odd.join(", ")),
                "do not let lists depend on the connection or on earlier requests",
            ),
        }
        .seen_in(x.id)
        .seen_in(y.id)
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no list was seen"))
}

fn removed(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(talk.all_answered(row, removed_methods::PROBE.id))
}
