//! Subscriptions of the stateless revision.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::subscriptions::{CHANGED, CHANGED_ID, ID, PROBE, heard};
use crate::probes::{revisions, valid_call};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/subscriptions",
    title: "A subscription is acknowledged, tagged and kept to what was asked for",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("SUB-01", acknowledged),
        rule("SUB-02", as_asked),
        rule("SUB-03", nothing_else),
        rule("SUB-05", kept_alive),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &PROBE, &CHANGED],
    page: include_str!("subscriptions.md"),
    judge: by_rules,
};

const KEY: &str = "io.modelcontextprotocol/subscriptionId";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const ASKED: [&str; 3] = [
    "notifications/tools/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
];

fn tag(message: &Value) -> Option<&Value> {
    message["params"]["_meta"].get(KEY)
}

fn method(message: &Value) -> &str {
    message["method"].as_str().unwrap_or_default()
}

fn acknowledged(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = format!("send {ACKNOWLEDGED} first, with `{KEY}` = the id of the request in `_meta`");
    let heard = heard(talk, &PROBE)?;
    let told = |m: &&Value| method(m) == ACKNOWLEDGED || tag(m).is_some();
    let Some(first) = heard.iter().find(told) else {
        return Ok(Ruling::fail("the subscription is not acknowledged", fix));
    };
    let named = tag(first).and_then(Value::as_str) == Some(ID);
    let listed = first["params"]["notifications"].is_object();
    Ok(match (method(first) == ACKNOWLEDGED, named, listed) {
        (false, _, _) => Ruling::fail(format!("{} comes first", quote(method(first))), fix),
        (true, false, _) => Ruling::fail("the acknowledgement names another subscription", fix),
        (true, true, false) => {
            Ruling::fail("the acknowledgement does not say what is honoured", fix)
        }
        (true, true, true) => Ruling::pass("acknowledged first, with the id and what is honoured"),
    })
}

fn as_asked(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let mut all = heard(talk, &PROBE)?;
    all.extend(heard(talk, &CHANGED).unwrap_or_default());
    let heard = all;
    let changes: Vec<&Value> = heard.iter().filter(|m| is_change(m)).collect();
    let fix = "send only what was asked for, each with the id of the subscription in `_meta`";
    let foreign = heard.iter().find(|m| tag(m).is_some() && !is_asked(m));
    let ours = |m: &&&Value| matches!(tag(m).and_then(Value::as_str), Some(ID | CHANGED_ID));
    let untagged = changes.iter().find(|m| !ours(m));
    match (foreign, untagged) {
        (Some(odd), _) => {
            Ok(Ruling::fail(format!("{} was not asked for", quote(method(odd))), fix))
        }
        (None, Some(odd)) => {
            Ok(Ruling::fail(format!("{} does not name the subscription", quote(method(odd))), fix))
        }
        (None, None) if changes.is_empty() => {
            Err(Ruling::not_testable("nothing changed while we listened"))
        }
        (None, None) => Ok(Ruling::pass("only what was asked for, each tagged")),
    }
}

fn is_change(message: &Value) -> bool {
    method(message).ends_with("/list_changed") || method(message).ends_with("/updated")
}

fn is_asked(message: &Value) -> bool {
    method(message) == ACKNOWLEDGED || ASKED.contains(&method(message))
}

fn nothing_else(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    const TOKEN: &str = "while-listening";
    let heard = heard(talk, &PROBE)?;
    // On one pipe only tags and tokens tell which request a notification belongs to.
    let stray = heard.iter().find(|m| match method(m) {
        "notifications/progress" => tag(m).is_some() || m["params"]["progressToken"] != TOKEN,
        "notifications/message" => tag(m).is_some(),
        _ => false,
    });
    Ok(match stray {
        None => Ruling::pass("no progress and no log on the subscription"),
        Some(odd) => Ruling::fail(
            format!("{} on the subscription", quote(method(odd))),
            "send progress and logs with the request they belong to",
        ),
    })
}

/// Servers send such a comment every quarter of a minute or less often.
fn kept_alive(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    heard(talk, &PROBE)?;
    Err(Ruling::not_testable("a run does not listen for a minute"))
}
