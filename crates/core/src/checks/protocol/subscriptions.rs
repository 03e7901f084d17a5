//! Subscriptions of the stateless revision.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Incoming, Reply};
use crate::probes::subscriptions::{ID, LISTEN, PROBE};
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
    needs: &[&revisions::PROBE, &valid_call::PROBE, &PROBE],
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

fn tag(incoming: &Incoming) -> Option<&Value> {
    incoming.params.as_ref()?.get("_meta")?.get(KEY)
}

/// What came by itself once we listened.
fn heard<'a>(talk: &Conversation<'a>) -> Result<Vec<&'a Incoming>, Ruling> {
    let x = talk.asked(PROBE.id, LISTEN)?;
    if let Reply::Error { code: -32601, .. } = x.reply {
        let why = "`subscriptions/listen` is not there, and nothing is declared that needs it";
        let declared = [
            "tools/listChanged",
            "prompts/listChanged",
            "resources/listChanged",
            "resources/subscribe",
        ];
        if !declared.iter().any(|path| talk.declares(path)) {
            return Err(Ruling::not_applicable(why));
        }
    }
    if let Reply::Error { .. } = &x.reply {
        let says = format!("{LISTEN}: {}", talk.shown(x));
        return Err(Ruling::fail(says, "serve `subscriptions/listen`").seen_in(x.id));
    }
    // Later on the same connection; a recording without frames has no other order than its own.
    let frame = x.frames.first().and_then(|id| talk.evidence.frames.get(id.0 as usize));
    let later = |i: &&Incoming| match frame {
        Some(f) => i.connection == f.connection && i.frame > Some(f.id),
        None => true,
    };
    Ok(talk.incoming().filter(later).collect())
}

fn acknowledged(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = format!("send {ACKNOWLEDGED} first, with `{KEY}` = the id of the request in `_meta`");
    let heard = heard(talk)?;
    let told = |i: &&&Incoming| i.method == ACKNOWLEDGED || tag(i).is_some();
    let Some(first) = heard.iter().find(told) else {
        return Ok(Ruling::fail("the subscription is not acknowledged", fix));
    };
    let named = tag(first).and_then(Value::as_str) == Some(ID);
    let listed = first.params.as_ref().is_some_and(|p| p["notifications"].is_object());
    Ok(match (first.method == ACKNOWLEDGED, named, listed) {
        (false, _, _) => Ruling::fail(format!("{} comes first", quote(&first.method)), fix),
        (true, false, _) => Ruling::fail("the acknowledgement names another subscription", fix),
        (true, true, false) => {
            Ruling::fail("the acknowledgement does not say what is honoured", fix)
        }
        (true, true, true) => Ruling::pass("acknowledged first, with the id and what is honoured"),
    })
}

fn as_asked(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let heard = heard(talk)?;
    let changes: Vec<&&Incoming> =
        heard.iter().filter(|i| i.method != ACKNOWLEDGED && is_change(i)).collect();
    let fix = "send only what was asked for, each with the id of the subscription in `_meta`";
    let foreign = heard.iter().find(|i| tag(i).is_some() && !is_asked(i));
    let untagged = changes.iter().find(|i| tag(i).and_then(Value::as_str) != Some(ID));
    match (foreign, untagged) {
        (Some(odd), _) => {
            Ok(Ruling::fail(format!("{} was not asked for", quote(&odd.method)), fix))
        }
        (None, Some(odd)) => {
            Ok(Ruling::fail(format!("{} does not name the subscription", quote(&odd.method)), fix))
        }
        (None, None) if changes.is_empty() => {
            Err(Ruling::not_testable("nothing changed while we listened"))
        }
        (None, None) => Ok(Ruling::pass("only what was asked for, each tagged")),
    }
}

fn is_change(incoming: &Incoming) -> bool {
    incoming.method.ends_with("/list_changed") || incoming.method.ends_with("/updated")
}

fn is_asked(incoming: &Incoming) -> bool {
    incoming.method == ACKNOWLEDGED || ASKED.contains(&incoming.method.as_str())
}

fn nothing_else(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    const TOKEN: &str = "while-listening";
    let heard = heard(talk)?;
    // On one pipe only tags and tokens tell which request a notification belongs to.
    let stray = heard.iter().find(|i| match i.method.as_str() {
        "notifications/progress" => {
            let token = i.params.as_ref().and_then(|p| p["progressToken"].as_str());
            tag(i).is_some() || token != Some(TOKEN)
        }
        "notifications/message" => tag(i).is_some(),
        _ => false,
    });
    Ok(match stray {
        None => Ruling::pass("no progress and no log on the subscription"),
        Some(odd) => Ruling::fail(
            format!("{} on the subscription", quote(&odd.method)),
            "send progress and logs with the request they belong to",
        ),
    })
}

/// Servers send such a comment every quarter of a minute or less often.
fn kept_alive(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    heard(talk)?;
    Err(Ruling::not_testable("a run does not listen for a minute"))
}
