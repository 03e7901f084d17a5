//! What the server says of itself when the session opens.

use serde_json::{Value, json};

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::response::quote;
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/handshake-shape",
    title: "The session opens with a complete and well-typed answer",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[
        rule("LIFE-01", complete),
        rule("LIFE-10", identity),
        rule("LIFE-11", instructions),
    ],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("handshake_shape.md"),
    judge: by_rules,
};

fn complete(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let handshake = talk.handshake;
    let mut wrong = Vec::new();
    if handshake.answered.parse::<Revision>().is_err() {
        let answered = quote(&handshake.answered);
        wrong.push(format!("`protocolVersion` is \"{answered}\", which is no published revision"));
    }
    if !handshake.capabilities.is_object() {
        wrong.push("`capabilities` is not an object".to_owned());
    }
    let server = &handshake.server;
    for (field, value) in [("name", &server.name), ("version", &server.version)] {
        if value.is_none() {
            wrong.push(format!("`serverInfo.{field}` is missing or no string"));
        }
    }
    let fix = "answer with `protocolVersion` (a published revision), `capabilities` (an object) and `serverInfo` with `name` and `version`";
    let good = format!("opened with revision {}, capabilities and identity", handshake.answered);
    verdict(talk, &wrong, good, fix)
}

/// The types of what the server tells of itself, as far as it does.
fn identity(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let opening = talk.evidence.exchange(talk.handshake.exchange).and_then(|x| x.result());
    let given = json!(talk.handshake.server);
    let info = opening
        .and_then(|r| {
            let stateless = r.pointer("/_meta/io.modelcontextprotocol~1serverInfo");
            r.get("serverInfo").or(stateless)
        })
        .unwrap_or(&given);
    let mut wrong = Vec::new();
    for field in ["name", "version"] {
        match info.get(field) {
            Some(Value::String(text)) if !text.trim().is_empty() => {}
            // A stateless server should identify itself, but need not.
            None if talk.revision.is_stateless() => {}
            Some(Value::String(_)) => wrong.push(format!("`serverInfo.{field}` is empty")),
            Some(_) | None => wrong.push(format!("`serverInfo.{field}` is missing or no string")),
        }
    }
    let told = |field: &str| info.get(field).filter(|v| !v.is_string()).is_some();
    for field in ["title", "description", "websiteUrl"].into_iter().filter(|f| told(f)) {
        wrong.push(format!("`serverInfo.{field}` is no string"));
    }
    if info.get("icons").is_some_and(|icons| !icons.is_array()) {
        wrong.push("`serverInfo.icons` is no list".to_owned());
    }
    let fix = "give `serverInfo` a non-empty `name` and `version`, and text where text is due";
    verdict(talk, &wrong, "name and version are given".to_owned(), fix)
}

fn instructions(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let opening = talk.evidence.exchange(talk.handshake.exchange).and_then(|x| x.result());
    let given = opening.and_then(|r| r.get("instructions"));
    let wrong: Vec<String> = given
        .filter(|v| !v.is_string())
        .map(|_| "`instructions` is no string".to_owned())
        .into_iter()
        .collect();
    let length = given.and_then(Value::as_str).map_or(0, |text| text.chars().count());
    verdict(talk, &wrong, format!("instructions of {length} characters"), "give text, or nothing")
}

fn verdict(talk: &Conversation<'_>, wrong: &[String], good: String, fix: &str) -> Judgement {
    let ruling = match wrong {
        [] => Ruling::pass(good),
        wrong => Ruling::fail(wrong.join("; "), fix),
    };
    Ok(ruling.seen_in(talk.handshake.exchange))
}
