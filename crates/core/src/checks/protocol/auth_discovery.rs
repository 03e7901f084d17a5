//! Whether a client that is refused learns where to get a token, and with which scope.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::auth::{
    Document, PROBE, challenge, endpoint, follows_framework, refusal, resource_of,
};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door};

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-discovery",
    title: "A refusal says where to get a token",
    facet: Facet::Authentication,
    severity: Severity::Medium,
    class: None,
    requirements: &[door("AUTH-02", header), door("AUTH-03", location), door("AUTH-04", fields)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_discovery.md"),
    judge: by_rules,
};

/// A server that protects itself in its own way can't be failed by the framework.
fn failed(talk: &Conversation<'_>, says: &str, fix: &str) -> Ruling {
    match follows_framework(talk) {
        true => Ruling::fail(says, fix),
        false => Ruling::partial(says, fix),
    }
}

fn header(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = refusal(talk)?;
    let fix = "answer 401 with `WWW-Authenticate: Bearer resource_metadata=\"…\"`";
    Ok(match challenge(x).and_then(|c| c.get("resource_metadata")) {
        Some(_) => Ruling::pass("the challenge names the metadata"),
        None => failed(talk, "the refusal has no challenge with `resource_metadata`", fix),
    }
    .seen_in(x.id))
}

fn location(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    match resource_of(talk) {
        Ok(document) => {
            let says = format!("found: {}", document.x.label);
            Ok(Ruling::pass(says).seen_in(document.x.id))
        }
        Err(_) if refusal(talk).is_ok() && !names_metadata(talk) => {
            let fix = "serve the metadata of RFC 9728 at /.well-known/oauth-protected-resource, or name it in the challenge";
            Ok(failed(talk, "no challenge and no well-known address leads to the metadata", fix))
        }
        Err(ruling) => Err(ruling),
    }
}

fn names_metadata(talk: &Conversation<'_>) -> bool {
    let named = refusal(talk).map(|x| challenge(x).and_then(|c| c.get("resource_metadata")));
    named.is_ok_and(|url| url.is_some())
}

fn fields(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let Document { x, value } = resource_of(talk)?;
    let own = endpoint(talk.evidence).map(String::from).unwrap_or_default();
    let servers = value["authorization_servers"].as_array();
    let named = value["resource"].as_str().unwrap_or_default();
    let same = named.trim_end_matches('/') == own.trim_end_matches('/');
    let fix = "list `authorization_servers`, and give the address of the endpoint as `resource`";
    Ok(match (servers.is_some_and(|s| s.iter().any(Value::is_string)), named) {
        (false, _) => Ruling::fail("the metadata names no authorization server", fix),
        (true, "") => Ruling::fail("the metadata names no resource", fix),
        (true, _) if same => Ruling::pass("names this endpoint and its authorization server"),
        // It may be reached under another name than ours.
        (true, _) => Ruling::partial(format!("`resource` is {named}, reached as {own}"), fix),
    }
    .seen_in(x.id))
}
