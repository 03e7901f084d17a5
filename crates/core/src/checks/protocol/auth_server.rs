//! What the authorization server of a protected server says of itself.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::auth::{
    DEFAULTS, Metadata, PROBE, SERVER_AT_ROOT, asked, metadata, near, refusal, server, status,
};
use crate::probes::revisions;
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door};

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-server",
    title: "The authorization server publishes what clients need",
    facet: Facet::Authentication,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        door("AUTH-08", at_root),
        door("AUTH-09", published),
        door("AUTH-10", pkce),
        door("AUTH-15", registration),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_server.md"),
    judge: by_rules,
};

fn at_root(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refusal(talk)?;
    let x = asked(talk.evidence, SERVER_AT_ROOT)?;
    if status(x) == Some(200) {
        return Ok(Ruling::pass("metadata at the root of the host").seen_in(x.id));
    }
    let mut missing = Vec::new();
    for path in DEFAULTS {
        if status(asked(talk.evidence, path)?) == Some(404) {
            missing.push(path);
        }
    }
    let fix = "serve /.well-known/oauth-authorization-server, or /authorize, /token and /register";
    // Clients of this revision do not look further, newer ones do; and a server may protect itself
    // in its own way.
    Ok(match missing.is_empty() {
        true => Ruling::pass("/authorize, /token and /register are there"),
        false => {
            Ruling::partial(format!("no metadata at the root, no {}", missing.join(", ")), fix)
        }
    }
    .seen_in(x.id))
}

/// The metadata, or why there is nothing to say about it.
fn found<'a>(talk: &Conversation<'a>) -> Result<Metadata<'a>, Ruling> {
    refusal(talk)?;
    let named = server(talk.evidence);
    if let Some(url) = named.as_ref().filter(|url| near(talk.evidence, url).is_none()) {
        let why = format!("the authorization server is on another host, which is not asked: {url}");
        return Err(Ruling::not_testable(why));
    }
    metadata(talk.evidence).ok_or_else(|| match named {
        Some(url) => Ruling::fail(
            format!("no metadata is found for {url}"),
            "serve the metadata of RFC 8414 or of OpenID Connect Discovery",
        ),
        None => Ruling::not_testable("no authorization server is named"),
    })
}

fn published(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let found = found(talk)?;
    let value = found.document.value;
    let issuer = value["issuer"].as_str().unwrap_or_default();
    let named = server(talk.evidence).unwrap_or_else(|| issuer.to_owned());
    let has = |key: &str| value[key].is_string();
    let lacks = ["authorization_endpoint", "token_endpoint"].into_iter().find(|key| !has(key));
    let fix = "publish RFC 8414 metadata whose `issuer` is exactly the address that is named";
    let alike = issuer.trim_end_matches('/') == named.trim_end_matches('/');
    let old = talk.revision < Revision::V2025_11_25;
    Ok(match (lacks, alike) {
        (Some(key), _) => Ruling::fail(format!("the metadata has no `{key}`"), fix),
        (None, false) => Ruling::fail(format!("named {named}, its `issuer` is {issuer}"), fix),
        (None, true) if old && !found.oauth => {
            Ruling::fail("only OpenID Connect metadata, which this revision does not know", fix)
        }
        (None, true) if issuer != named => {
            Ruling::partial(format!("named {named}, its `issuer` is {issuer}"), fix)
        }
        (None, true) => Ruling::pass(format!("found: {}", found.document.x.label)),
    }
    .seen_in(found.document.x.id))
}

fn pkce(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let Metadata { document, .. } = found(talk)?;
    let methods = document.value["code_challenge_methods_supported"].as_array();
    let fix = "publish `code_challenge_methods_supported` with S256: clients must refuse without";
    Ok(match methods.is_some_and(|m| m.contains(&Value::from("S256"))) {
        true => Ruling::pass("offers S256"),
        false => Ruling::fail("the metadata does not offer S256", fix),
    }
    .seen_in(document.x.id))
}

fn registration(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let Metadata { document: d, .. } = found(talk)?;
    let dynamic = d.value["registration_endpoint"].is_string();
    let documents = d.value["client_id_metadata_document_supported"] == true;
    let fix = "offer dynamic registration, or client-id metadata documents from 2025-11-25 on";
    Ok(match (dynamic, documents && talk.revision >= Revision::V2025_11_25) {
        (_, true) => Ruling::pass("takes client-id metadata documents"),
        (true, false) => Ruling::pass("offers dynamic registration"),
        (false, false) => Ruling::fail("a new client has no way to make itself known", fix),
    }
    .seen_in(d.x.id))
}
