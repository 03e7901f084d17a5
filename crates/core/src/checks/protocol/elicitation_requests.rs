//! Requests for input by the user, as the server sends them.

use serde_json::Value;
use url::Url;

use super::client_requests::client_of;
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Incoming;
use crate::probe::words;
use crate::probes::{profiles, revisions, valid_call};
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/elicitation-requests",
    title: "Requests for input are flat forms without secrets, or proper links",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("S2C-05", form),
        rule("S2C-06", secrets),
        rule("S2C-07", modes),
        rule("S2C-08", links),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &profiles::PROBE],
    page: include_str!("elicitation_requests.md"),
    judge: by_rules,
};

fn each(
    talk: &Conversation<'_>,
    meant: impl Fn(&Incoming) -> bool,
    fix: &str,
    flaw: impl Fn(&Value) -> Option<String>,
) -> Judgement {
    let asked: Vec<&Value> = talk
        .incoming()
        .filter(|i: &&Incoming| i.method == "elicitation/create" && meant(i))
        .filter_map(|i| i.params.as_ref())
        .collect();
    match (asked.iter().find_map(|params| flaw(params)), asked.len()) {
        (_, 0) => Err(Ruling::not_testable("the server never asked for such input")),
        (None, _) => Ok(Ruling::pass("every request as required")),
        (Some(flaw), _) => Ok(Ruling::fail(format!("elicitation/create: {flaw}"), fix)),
    }
}

fn is_url(incoming: &Incoming) -> bool {
    let mode = incoming.params.as_ref().and_then(|p| p.get("mode")?.as_str());
    mode == Some("url")
}

fn form(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "ask with a `message` and a flat object of strings, numbers, booleans and choices";
    let lists = talk.revision >= Revision::V2025_11_25;
    each(
        talk,
        |i| !is_url(i),
        fix,
        |params| {
            let schema = params.get("requestedSchema");
            let fields = schema.and_then(|s| s.get("properties")?.as_object());
            let simple = |f: &Value| match f.get("type").and_then(Value::as_str) {
                Some("string" | "number" | "integer" | "boolean") => true,
                Some("array") => lists && f.get("items").is_some(),
                Some(_) => false,
                None => f.get("enum").is_some() || f.get("oneOf").is_some(),
            };
            if !params.get("message").is_some_and(Value::is_string) {
                return Some("`message` is missing".to_owned());
            }
            if schema.and_then(|s| s.get("type")?.as_str()) != Some("object") {
                return Some("`requestedSchema` is not the schema of an object".to_owned());
            }
            let odd = fields?.iter().find(|(_, field)| !simple(field))?;
            Some(format!("`{}` is no primitive value", odd.0))
        },
    )
}

const SECRET: [&str; 7] = ["password", "passwd", "passphrase", "secret", "cvv", "ssn", "pin"];

/// By the names of the fields: certain enough only for words that mean nothing else.
fn secrets(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send the user to a page of yours for secrets (URL mode), never ask in a form";
    each(
        talk,
        |i| !is_url(i),
        fix,
        |params| {
            let fields = params.pointer("/requestedSchema/properties")?.as_object()?;
            let secret = |name: &&String| words(name).iter().any(|w| SECRET.contains(&w.as_str()));
            Some(format!("a form asks for `{}`", fields.keys().find(secret)?))
        },
    )
}

/// `elicitation` as an empty object means forms only.
fn modes(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "use URL mode only with clients that declare `elicitation.url`";
    let for_forms = |i: &Incoming| !client_of(talk, i.connection).pages;
    each(talk, for_forms, fix, |params| {
        let mode = params.get("mode")?.as_str()?;
        (mode != "form").then(|| format!("mode `{mode}` was not declared"))
    })
}

fn links(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send a valid URL without user data in it, and an `elicitationId`";
    each(talk, is_url, fix, |params| {
        let identified = params.get("elicitationId").is_some_and(Value::is_string);
        match params.get("url").and_then(Value::as_str).map(Url::parse) {
            None | Some(Err(_)) => Some("`url` is no URL".to_owned()),
            Some(Ok(url)) if !url.username().is_empty() => Some("the URL has a login".to_owned()),
            Some(Ok(_)) if talk.revision == Revision::V2025_11_25 && !identified => {
                Some("`elicitationId` is missing".to_owned())
            }
            Some(Ok(_)) => None,
        }
    })
}
