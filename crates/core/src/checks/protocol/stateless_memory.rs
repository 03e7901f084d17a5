//! Whether a stateless server really remembers nothing, and has left the old methods behind.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::fresh_stateless::{self, FIRST, LATER};
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
        rule("LIFE-25", as_declared),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &fresh_stateless::PROBE, &removed_methods::PROBE],
    page: include_str!("stateless_memory.md"),
    judge: by_rules,
};

/// The call on the untouched connection is not part of any session, so not of the conversation.
fn first<'a>(talk: &Conversation<'a>) -> Result<&'a Exchange, Ruling> {
    let mut found = talk.evidence.of(fresh_stateless::PROBE.id).filter(|x| x.label == FIRST);
    found.next().ok_or_else(|| Ruling::unseen("no stateless request was sent first"))
}

fn alone(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = first(talk)?;
    let says = format!("{FIRST}: {}", talk.shown(x));
    let declared = talk.declares("tools");
    Ok(match &x.reply {
        Reply::Result { .. } => Ruling::pass(says),
        Reply::Error { .. } if !declared => Ruling::pass(says),
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
    let (before, after) = (names(fresh_list), names(used_list));
    let odd: Vec<&str> = before.symmetric_difference(&after).copied().collect();
    Ok(match odd.is_empty() {
        true => Ruling::pass("a fresh connection lists the same tools as one in use"),
        false => Ruling::fail(
            format!("lists differ between connections: {}", odd.join(", ")),
            "do not let lists depend on the connection or on earlier requests",
        ),
    }
    .seen_in(fresh.id)
    .seen_in(used.id))
}

fn removed(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    Ok(talk.all_answered(row, removed_methods::PROBE.id))
}

const LISTS: [(&str, &str); 4] = [
    ("tools", "tools/list"),
    ("resources", "resources/list"),
    ("resources", "resources/templates/list"),
    ("prompts", "prompts/list"),
];

fn as_declared(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = LISTS.iter().flat_map(|(capability, method)| {
        let declared = talk.declares(capability);
        let asked = talk.exchanges().filter(|x| x.send.method() == Some(method));
        asked.filter(|x| x.arguments().is_none() && x.send.params().is_none_or(no_cursor)).map(
            move |x| {
                let says = format!("{method}: {}", talk.shown(x));
                match (&x.reply, declared) {
                    (Reply::Result { .. }, true) | (Reply::Error { .. }, false) => {
                        Ruling::pass(says)
                    }
                    (Reply::Result { .. }, false) => Ruling::fail(
                        format!("{says}, although not declared"),
                        "declare what you offer",
                    ),
                    (Reply::Error { code: -32601, .. }, true) => {
                        Ruling::fail(format!("{says}, although declared"), "serve what you declare")
                    }
                    _ => Ruling::unseen(says),
                }
                .seen_in(x.id)
            },
        )
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no list was asked for"))
}

fn no_cursor(params: &Value) -> bool {
    params.get("cursor").is_none()
}
