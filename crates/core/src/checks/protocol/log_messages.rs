//! Log messages: only where declared, of a known level, and without secrets.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Incoming, Micros};
use crate::probes::{features, revisions, valid_call};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/log-messages",
    title: "Log messages are declared, asked for and well formed",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[
        rule("LOG-01", declared),
        rule("LOG-02", shape),
        rule("LOG-05", asked_for),
        rule("LOG-07", discreet),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &features::PROBE],
    page: include_str!("log_messages.md"),
    judge: by_rules,
};

pub(super) const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

pub(super) fn messages<'a>(talk: &Conversation<'a>) -> Vec<&'a Incoming> {
    talk.incoming().filter(|i| i.method == "notifications/message").collect()
}

pub(super) fn level(message: &Incoming) -> Option<&str> {
    message.params.as_ref()?.get("level")?.as_str()
}

fn declared(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(match (talk.declares("logging"), messages(talk).len()) {
        (false, 0) => Ruling::pass("no log messages, and `logging` is not declared"),
        (true, _) => Ruling::pass("`logging` is declared"),
        (false, _) => Ruling::fail(
            "log messages came, and `logging` is not declared",
            "declare `logging`, or send no notifications/message",
        ),
    })
}

fn shape(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send `level` as one of the eight syslog names, and `data`";
    let all = messages(talk);
    let flaw = all.iter().find_map(|message| match level(message) {
        Some(name) if !LEVELS.contains(&name) => Some(format!("`{}` is no level", quote(name))),
        None => Some("`level` is missing or not a string".to_owned()),
        Some(_) => {
            let data = message.params.as_ref().and_then(|p| p.get("data"));
            data.is_none().then(|| "`data` is missing".to_owned())
        }
    });
    match (flaw, all.len()) {
        (Some(flaw), _) => Ok(Ruling::fail(flaw, fix)),
        (None, 0) => Err(Ruling::not_testable("no log message came")),
        (None, _) => Ok(Ruling::pass("every message has level and data")),
    }
}

/// A message within the time of a request that wanted messages is none too many.
fn asked_for(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let wanting: Vec<(Micros, Micros)> = talk
        .exchanges()
        .filter(|x| {
            let meta = x.send.params().and_then(|p| p.get("_meta"));
            meta.is_some_and(|m| m.get("io.modelcontextprotocol/logLevel").is_some())
        })
        .map(|x| (x.started, Micros(x.started.0 + x.took.0)))
        .collect();
    let unwanted = |m: &&&Incoming| !wanting.iter().any(|(from, to)| (*from..=*to).contains(&m.at));
    let fix = "send log messages only for requests whose `_meta` has a `logLevel`";
    Ok(match messages(talk).iter().filter(unwanted).count() {
        0 => Ruling::pass("no log messages without a logLevel"),
        n => Ruling::fail(format!("{n} log messages for requests without a logLevel"), fix),
    })
}

fn discreet(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let all = messages(talk);
    if all.is_empty() {
        return Err(Ruling::not_testable("no log message came"));
    }
    let canaries = &talk.evidence.conditions.canaries;
    let text = |m: &&&Incoming| m.params.as_ref().map(Value::to_string).unwrap_or_default();
    let leak = |m: &&&Incoming| canaries.iter().any(|c| text(m).contains(&c.value));
    Ok(match all.iter().find(leak) {
        None => Ruling::pass("no message holds anything of ours"),
        Some(_) => Ruling::fail(
            "a log message holds a secret that we planted",
            "keep credentials and personal data out of log messages",
        ),
    })
}
