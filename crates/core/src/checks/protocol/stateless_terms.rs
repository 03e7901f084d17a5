//! What stands in for the handshake in every request of the stateless revision.

use serde_json::{Map, Value};

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probe::Send;
use crate::probes::revisions;
use crate::probes::stateless::{
    INITIALIZE, NO_CLIENT, NO_INFO, NO_META, NO_VERSION, PROBE, UNKNOWN, UNKNOWN_VERSION,
};
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/stateless-terms",
    title: "Requests without proper terms are refused, those with them served",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[
        rule("LIFE-16", unknown_version),
        rule("LIFE-17", missing),
        rule("LIFE-18", without_info),
        rule("LIFE-21", names_versions),
        rule("LIFE-28", no_foreign_extension),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("stateless_terms.md"),
    judge: by_rules,
};

fn unknown_version(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let x = talk.asked(PROBE.id, UNKNOWN_VERSION)?;
    let ruling = talk.answered(row, x);
    let Reply::Error { data, .. } = &*x.reply else { return Ok(ruling) };
    let data = data.as_ref().unwrap_or(&Value::Null);
    let lists = data["supported"].as_array().is_some_and(|s| s.iter().all(Value::is_string));
    let quotes = data["requested"].as_str() == Some(UNKNOWN);
    let fix = "give `data.supported`, a list of versions, and `data.requested`";
    Ok(match (ruling.is_fail(), lists && quotes) {
        (false, false) => {
            Ruling::fail("the error has no `data.supported` and `data.requested`", fix)
                .seen_in(x.id)
        }
        (true, _) | (_, true) => ruling,
    })
}

fn missing(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let labels = [NO_META, NO_VERSION, NO_CLIENT];
    let older = speaks_with_handshake(talk);
    let rulings = labels.into_iter().map(|label| match talk.asked(PROBE.id, label) {
        // A server that also speaks with handshake may take a request without any `_meta` for an
        // old one, and refuse or serve it as such.
        Ok(x)
            if label == NO_META
                && (matches!(*x.reply, Reply::Error { .. })
                    || older && matches!(*x.reply, Reply::Result { .. })) =>
        {
            match talk.answered(row, x) {
                ruling if ruling.is_fail() => {
                    Ruling::partial(ruling.says, ruling.fix.unwrap_or_default())
                }
                ruling => ruling,
            }
        }
        Ok(x) => talk.answered(row, x),
        Err(ruling) => ruling,
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

fn without_info(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = talk.asked(PROBE.id, NO_INFO)?;
    let says = format!("without `clientInfo`: {}", talk.shown(x));
    Ok(match &*x.reply {
        Reply::Result { .. } => Ruling::pass(says),
        Reply::Error { .. } if talk.fails_anyway(x, "tools/list") => Ruling::unseen(says),
        Reply::Error { .. } | Reply::Malformed { .. } | Reply::Silence => {
            Ruling::fail(says, "serve requests whose `_meta` has no `clientInfo`")
        }
        Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            Ruling::unseen(says)
        }
    }
    .seen_in(x.id))
}

fn speaks_with_handshake(talk: &Conversation<'_>) -> bool {
    Conversation::all(talk.evidence).iter().any(|t| !t.revision.is_stateless())
}

fn names_versions(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if speaks_with_handshake(talk) {
        return Err(Ruling::not_applicable("it also speaks with handshake"));
    }
    let x = talk.asked(PROBE.id, INITIALIZE)?;
    let Reply::Error { message, data, .. } = &*x.reply else {
        return Err(Ruling::unseen(format!("initialize: {}", talk.shown(x))));
    };
    let told = format!("{message} {}", data.as_ref().map(Value::to_string).unwrap_or_default());
    Ok(match told.contains(Revision::V2026_07_28.as_str()) {
        true => Ruling::pass("the error names the versions it supports"),
        false => Ruling::fail(
            format!("initialize: {}, without naming a version", talk.shown(x)),
            "name the versions you support in the error to `initialize`",
        ),
    }
    .seen_in(x.id))
}

/// Only a request that declares an extension may be answered with a result of that extension.
fn no_foreign_extension(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if talk.handshake.capabilities["extensions"].as_object().is_none_or(Map::is_empty) {
        return Err(Ruling::not_applicable("no extension is declared"));
    }
    let declares = |x: &Exchange| match &x.send {
        Send::Raw { text, .. } => text.contains("\"extensions\""),
        Send::Http { body, .. } => body.as_ref().is_some_and(|b| b.contains("\"extensions\"")),
        Send::Request { .. }
        | Send::Notification { .. }
        | Send::Aside { .. }
        | Send::Listen { .. } => false,
    };
    let plain = talk.exchanges().filter(|x| !declares(x));
    let odd = plain.filter_map(|x| Some((x, x.result()?["resultType"].as_str()?)));
    let odd = odd.into_iter().find(|(_, kind)| !matches!(*kind, "complete" | "input_required"));
    Ok(match odd {
        None => Ruling::pass("clients without the extensions get ordinary results"),
        Some((x, kind)) => Ruling::fail(
            format!("a client without extensions gets a result of kind `{kind}`"),
            "answer clients that do not declare an extension as if you had none",
        )
        .seen_in(x.id),
    })
}
