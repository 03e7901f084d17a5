//! Whether a client that is refused learns where to get a token, and with which scope.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::auth::{
    Document, PROBE, challenge, endpoint, follows_framework, near, refusal, resource,
};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door};

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-discovery",
    title: "A refusal says where to get a token",
    facet: Facet::Authentication,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        door("AUTH-02", header),
        door("AUTH-03", location),
        door("AUTH-04", fields),
        door("AUTH-05", scope),
        door("AUTH-06", offline),
        door("SEC-06", least),
    ],
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

/// The metadata, or why there is nothing to say about it.
fn found<'a>(talk: &Conversation<'a>) -> Result<Document<'a>, Ruling> {
    let x = refusal(talk)?;
    let far = |url: &String| near(talk.evidence, url).is_none();
    let named = challenge(x).and_then(|c| c.get("resource_metadata"));
    if let Some(url) = named.filter(far) {
        let why = format!("the metadata is on another host, which is not asked: {url}");
        return Err(Ruling::not_testable(why));
    }
    resource(talk.evidence).ok_or_else(|| Ruling::not_testable("no metadata was found"))
}

fn location(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    match found(talk) {
        Ok(document) => {
            let says = format!("found: {}", document.x.label);
            Ok(Ruling::pass(says).seen_in(document.x.id))
        }
        Err(_)
            if refusal(talk).is_ok_and(|x| {
                challenge(x).is_none_or(|c| c.get("resource_metadata").is_none())
            }) =>
        {
            let fix = "serve the metadata of RFC 9728 at /.well-known/oauth-protected-resource, or name it in the challenge";
            Ok(failed(talk, "no challenge and no well-known address leads to the metadata", fix))
        }
        Err(ruling) => Err(ruling),
    }
}

fn fields(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let Document { x, value } = found(talk)?;
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

fn scope(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = refusal(talk)?;
    Ok(match challenge(x).map(|c| c.get("scope")) {
        Some(Some(scope)) => Ruling::pass(format!("asks for `{scope}`")),
        Some(None) => Ruling::fail("the challenge names no `scope`", "name the scope it takes"),
        None => Ruling::not_testable("the refusal has no challenge"),
    }
    .seen_in(x.id))
}

/// Every scope that is asked for or offered.
fn scopes(talk: &Conversation<'_>) -> Result<Vec<String>, Ruling> {
    let asked = challenge(refusal(talk)?).and_then(|c| c.get("scope")).unwrap_or_default();
    let offered = found(talk).ok().and_then(|d| d.value["scopes_supported"].as_array());
    let offered = offered.into_iter().flatten().filter_map(Value::as_str);
    let all: Vec<String> = asked.split_whitespace().chain(offered).map(str::to_owned).collect();
    match all.is_empty() {
        true => Err(Ruling::not_testable("no scope is named")),
        false => Ok(all),
    }
}

fn without(scopes: &[String], bad: impl Fn(&str) -> bool, fix: &str) -> Ruling {
    match scopes.iter().find(|scope| bad(scope)) {
        Some(scope) => Ruling::fail(format!("there is a scope `{scope}`"), fix),
        None => Ruling::pass(format!("scopes: {}", scopes.join(", "))),
    }
}

fn offline(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "leave `offline_access` to the client and the authorization server";
    Ok(without(&scopes(talk)?, |s| s == "offline_access", fix))
}

fn least(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    const OMNIBUS: [&str; 5] = ["*", "all", "full-access", "full_access", "everything"];
    let bad = |s: &str| OMNIBUS.contains(&s) || s.ends_with(":*") || s.ends_with("/*");
    Ok(without(&scopes(talk)?, bad, "offer scopes for parts of what the server can do"))
}
