//! Cursors: their type, where they lead, and what a wrong one gets.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Exchange;
use crate::probes::listings::{BOGUS, CURSORS, PROBE, REUSED};
use crate::probes::revisions;
use crate::spec::listing::{LISTS, Listed, cursor_sent, items, name_of};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/pagination",
    title: "Cursors are strings, lead to the end, and wrong ones are refused",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("PAGE-01", typed),
        rule("PAGE-02", ends),
        rule("PAGE-03", bogus),
        rule("PAGE-04", stable),
        rule("PAGE-05", empty),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &CURSORS],
    page: include_str!("pagination.md"),
    judge: by_rules,
};

fn pages<'a>(talk: &Conversation<'a>) -> Vec<(&'a Exchange, &'a Value)> {
    LISTS.iter().flat_map(|(method, _)| talk.pages(method)).collect()
}

fn typed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let all = pages(talk);
    let odd = |page: &Value| page.get("nextCursor").is_some_and(|c| !c.is_string());
    let fix = "send `nextCursor` as a string, and leave it out of the last page";
    match (all.iter().find(|(_, page)| odd(page)), all.first()) {
        (Some((x, _)), _) => {
            Ok(Ruling::fail(format!("{}: `nextCursor` is no string", talk.name(x)), fix)
                .seen_in(x.id))
        }
        (None, Some((x, _))) => {
            Ok(Ruling::pass("`nextCursor` is a string or absent").seen_in(x.id))
        }
        (None, None) => Err(Ruling::unseen("no list was given")),
    }
}

fn ends(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = LISTS.iter().filter_map(|(method, _)| {
        let listed = talk.listing(method).ok()?;
        let (x, _) = listed.pages.first()?;
        Some(whole(&listed).seen_in(x.id))
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no list was given"))
}

fn whole(listed: &Listed<'_>) -> Ruling {
    let method = listed.method;
    let fix = "give each page a new cursor and the last page none, and each item once";
    let mut names: Vec<String> = listed.items.iter().map(|item| name_of(item)).collect();
    names.sort();
    let twice = names.windows(2).find(|w| matches!(w, [a, b] if a == b)).and_then(|w| w.first());
    match (listed.loops, twice) {
        (Some(_), _) => {
            Ruling::fail(format!("{method} comes back to a cursor it gave before"), fix)
        }
        // On one page it is a question of names, not of cursors.
        (None, Some(name)) if listed.pages.len() > 1 => {
            Ruling::fail(format!("{method} lists {name} twice"), fix)
        }
        (None, _) => Ruling::pass(format!("{method} ends after {} pages", listed.pages.len())),
    }
}

fn bogus(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let rulings: Vec<Ruling> = LISTS
        .iter()
        .filter(|(method, _)| talk.declares(method.split('/').next().unwrap_or_default()))
        // A list that is not there at all has no cursors either.
        .filter(|(method, _)| !talk.first_pages(method).is_empty())
        .filter_map(|(method, _)| talk.put(CURSORS.id, &format!("{method} {BOGUS}")).ok())
        .map(|x| talk.answered(row, x))
        .collect();
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no bogus cursor was sent"))
}

fn stable(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = LISTS.iter().filter_map(|(method, _)| {
        let again = talk.put(PROBE.id, &format!("{method} {REUSED}")).ok()?;
        let same = |(x, _): &(&Exchange, &Value)| {
            x.id != again.id && x.on == again.on && cursor_sent(x) == cursor_sent(again)
        };
        let (x, page) = talk.pages(method).into_iter().find(same)?;
        let names = |page| items(method, page).map(name_of).collect::<Vec<_>>();
        let kept = again.result().is_some_and(|second| names(second) == names(page));
        let ruling = match kept {
            true => Ruling::pass(format!("{method}: the same cursor gives the same page")),
            false => Ruling::fail(
                format!("{method}: the same cursor again gives {}", talk.shown(again)),
                "let a cursor lead to the same page whenever it is used",
            ),
        };
        Some(ruling.seen_in(x.id).seen_in(again.id))
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no list has more than one page"))
}

fn empty(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let sent = |page: &Value| page.get("nextCursor").and_then(Value::as_str) == Some("");
    match pages(talk).into_iter().find(|(_, page)| sent(page)) {
        None => Err(Ruling::not_testable("no empty cursor was given")),
        Some((x, _)) => Ok(Ruling::pass("an empty cursor was given and followed").seen_in(x.id)),
    }
}
