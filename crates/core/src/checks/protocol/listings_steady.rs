//! Lists keep their order, and changes are announced.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Exchange;
use crate::probes::{changes, listings, revisions};
use crate::spec::listing::{cursor_sent, items, name_of, next_cursor};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/listings-steady",
    title: "Lists keep their order, and a changed list is announced",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[
        rule("TOOL-08", order),
        rule("TOOL-27", tools),
        rule("RES-16", resources),
        rule("PROMPT-09", prompts),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE, &changes::PROBE],
    page: include_str!("listings_steady.md"),
    judge: by_rules,
};

type Names<'a> = (&'a Exchange, Vec<String>);

/// The first page, each time it was given.
fn given<'a>(talk: &Conversation<'a>, method: &'static str) -> Vec<Names<'a>> {
    let names = |page| items(method, page).map(name_of).collect();
    talk.first_pages(method).into_iter().map(|(x, page)| (x, names(page))).collect()
}

/// Clients with other capabilities may see other tools; those that both see stand in one order.
fn order(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs("tools")?;
    let all = given(talk, "tools/list");
    let Some((first, others)) = all.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Err(Ruling::unseen("tools/list was not answered twice"));
    };
    let common = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter().filter(|n| b.contains(n)).cloned().collect()
    };
    let moved = others.iter().find(|(_, o)| common(o, &first.1) != common(&first.1, o));
    Ok(match moved {
        None => Ruling::pass(format!("the same order {} times", all.len())).seen_in(first.0.id),
        Some((x, _)) => {
            let fix = "list tools in a fixed order, so that clients and models can cache them";
            Ruling::fail("tools/list came in another order", fix).seen_in(first.0.id).seen_in(x.id)
        }
    })
}

fn tools(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    announced(talk, "tools", "tools/list")
}

fn resources(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    announced(talk, "resources", "resources/list")
}

fn prompts(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    announced(talk, "prompts", "prompts/list")
}

/// The names on a page, in any order, and whether there is another page.
fn contents(method: &str, page: &Value) -> (BTreeSet<String>, bool) {
    (items(method, page).map(name_of).collect(), next_cursor(page).is_some())
}

fn announced(talk: &Conversation<'_>, capability: &str, method: &'static str) -> Judgement {
    talk.needs(&format!("{capability}/listChanged"))?;
    if talk.revision.is_stateless() {
        return Err(Ruling::not_testable("announced only to who subscribed to it"));
    }
    // Page by page: what is new may stand on the last one.
    let all = talk.pages(method);
    let changed = all.iter().enumerate().find_map(|(i, (x, page))| {
        let same = |b: &Exchange| b.on == x.on && cursor_sent(b) == cursor_sent(x);
        let (_, before) = all.get(..i)?.iter().rev().find(|(b, _)| same(b))?;
        (contents(method, before) != contents(method, page)).then_some(*x)
    });
    let Some(x) = changed else {
        return Err(Ruling::not_testable(format!("{method} did not change")));
    };
    let notice = format!("notifications/{capability}/list_changed");
    let said = talk.incoming().any(|i| i.method == notice);
    let fix = "send the list_changed notification whenever the list changes";
    Ok(match said {
        true => Ruling::pass(format!("{method} changed, and {notice} said so")),
        false => Ruling::fail(format!("{method} changed without {notice}"), fix),
    }
    .seen_in(x.id))
}
