//! What every result of the stateless revision carries.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Exchange;
use crate::probe::Send;
use crate::probes::{revisions, stateless};
use crate::response::quote;
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/stateless-results",
    title: "Every stateless result says what it is and who sent it",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("LIFE-14", discovery),
        rule("LIFE-15", identity),
        rule("LIFE-23", kinds),
        rule("LIFE-27", extensions),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE],
    page: include_str!("stateless_results.md"),
    judge: by_rules,
};

const SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// Those of the protocol, and of the one published extension.
const KINDS: [&str; 3] = ["complete", "input_required", "task"];

/// Results of requests in this revision; a raw one may have been in another, and its answer too.
fn results<'a>(talk: &Conversation<'a>) -> impl Iterator<Item = (&'a Exchange, &'a Value)> {
    let says = |text: &str| {
        text.contains(stateless::VERSION) && text.contains(Revision::V2026_07_28.as_str())
    };
    let modern = move |x: &Exchange| match &x.send {
        Send::Raw { text, .. } => says(text),
        Send::Http { body, .. } => body.as_ref().is_some_and(|b| says(b)),
        Send::Aside { .. } => false,
        Send::Request { .. } | Send::Notification { .. } | Send::Listen { .. } => true,
    };
    talk.exchanges().filter(move |x| modern(x)).filter_map(|x| Some((x, x.result()?)))
}

fn method(x: &Exchange) -> &str {
    x.send.method().unwrap_or("a raw request")
}

fn discovery(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let asked = |x: &&Exchange| x.send.method() == Some("server/discover");
    let rulings = talk.exchanges().filter(asked).map(|x| discovered(talk, x).seen_in(x.id));
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("server/discover was not asked"))
}

fn discovered(talk: &Conversation<'_>, x: &Exchange) -> Ruling {
    let fix = "answer `server/discover` with supportedVersions, capabilities, resultType, ttlMs and cacheScope";
    let Some(result) = x.result() else {
        return match x.reply.why_unseen() {
            Some(why) => Ruling::unseen(why),
            None => Ruling::fail(format!("server/discover: {}", talk.shown(x)), fix),
        };
    };
    let versions = result["supportedVersions"].as_array();
    let listed = versions.is_some_and(|v| !v.is_empty() && v.iter().all(Value::is_string));
    let scoped = matches!(result["cacheScope"].as_str(), Some("public" | "private"));
    let parts = [
        (listed, "supportedVersions"),
        (result["capabilities"].is_object(), "capabilities"),
        (result["resultType"] == "complete", "resultType"),
        (result["ttlMs"].as_u64().is_some(), "ttlMs"),
        (scoped, "cacheScope"),
    ];
    let wrong: Vec<&str> = parts.iter().filter(|(good, _)| !good).map(|(_, name)| *name).collect();
    match wrong.is_empty() {
        true => Ruling::pass("server/discover says all that it must"),
        false => Ruling::fail(format!("missing or wrong: {}", wrong.join(", ")), fix),
    }
}

fn identity(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let named = |r: &Value| {
        let info = &r["_meta"][SERVER];
        info["name"].is_string() && info["version"].is_string()
    };
    let fix = format!("put `{SERVER}` with name and version into the `_meta` of every result");
    let silent = results(talk).find(|(_, r)| !named(r));
    every(talk, silent.map(|(x, _)| (x, "does not name the server".to_owned())), &fix)
}

fn kinds(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "give every result a `resultType`: complete or input_required";
    let odd =
        results(talk).find(|(_, r)| !r["resultType"].as_str().is_some_and(|k| KINDS.contains(&k)));
    let odd =
        odd.map(|(x, r)| (x, format!("has resultType {}", quote(&r["resultType"].to_string()))));
    every(talk, odd, fix)
}

fn every(talk: &Conversation<'_>, odd: Option<(&Exchange, String)>, fix: &str) -> Judgement {
    match odd {
        Some((x, what)) => {
            Ok(Ruling::fail(format!("the result of {} {what}", method(x)), fix).seen_in(x.id))
        }
        None if results(talk).next().is_some() => Ok(Ruling::pass("every result does")),
        None => Err(Ruling::unseen("no result was seen")),
    }
}

fn extensions(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let Some(named) = talk.handshake.capabilities["extensions"].as_object() else {
        return Err(Ruling::not_applicable("no extension is declared"));
    };
    let odd = named.keys().find(|key| !is_prefixed(key));
    Ok(match odd {
        None => Ruling::pass("every extension has a name with prefix"),
        Some(key) => Ruling::fail(
            format!("the extension `{}` has no proper name", quote(key)),
            "name extensions like metadata keys, with a dotted prefix: `com.example/thing`",
        ),
    }
    .seen_in(talk.handshake.exchange))
}

/// `label.label/name`, as keys of `_meta` are built, but with the prefix required.
fn is_prefixed(key: &str) -> bool {
    let edge = |c: char| c.is_ascii_alphanumeric();
    let part = |text: &str, start: fn(char) -> bool, inner: &str| {
        text.starts_with(start)
            && text.ends_with(edge)
            && text.chars().all(|c| edge(c) || inner.contains(c))
    };
    key.split_once('/').is_some_and(|(prefix, name)| {
        prefix.split('.').all(|label| part(label, |c| c.is_ascii_alphabetic(), "-"))
            && part(name, |c| c.is_ascii_alphanumeric(), "-_.")
    })
}
