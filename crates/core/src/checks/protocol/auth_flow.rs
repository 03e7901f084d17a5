//! Whether an authorization server on this machine gives codes only to whom it should.

use url::Url;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Exchange;
use crate::probes::auth::{
    AUTHORIZE, Document, NO_CHALLENGE, OPEN_REDIRECT, OTHER_REDIRECT, PROBE, WRONG_VERIFIER, asked,
    is_loopback, metadata, near, refusal, returned, server, status, why_no_flow,
};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door};

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-flow",
    title: "Codes are given out only with PKCE and to the registered address",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: None,
    requirements: &[door("AUTH-11", pkce), door("AUTH-14", redirect), door("AUTH-16", issuer)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_flow.md"),
    judge: by_rules,
};

fn shown(x: &Exchange) -> String {
    let what = match (returned(x, "code"), returned(x, "error")) {
        (Some(_), _) => "a code".to_owned(),
        (None, Some(error)) => format!("error `{error}`"),
        (None, None) => format!("HTTP {}", status(x).unwrap_or_default()),
    };
    format!("{}: {what}", x.label)
}

/// A proper request was served, so a refusal means what it says.
fn tried<'a>(talk: &Conversation<'a>) -> Result<&'a Exchange, Ruling> {
    refusal(talk)?;
    let far = |url: &String| near(talk.evidence, url).is_none();
    if let Some(url) = server(talk.evidence).filter(far) {
        let why = format!("the authorization server is on another host, which is not asked: {url}");
        return Err(Ruling::not_testable(why));
    }
    if let Some(why) = why_no_flow(talk.evidence) {
        return Err(Ruling::not_testable(why));
    }
    let x = asked(talk.evidence, AUTHORIZE)?;
    match returned(x, "code") {
        Some(_) => Ok(x),
        None => Err(Ruling::not_testable(format!("{}; a person has to consent", shown(x)))),
    }
}

fn no_code(talk: &Conversation<'_>, label: &str, fix: &str) -> Ruling {
    match asked(talk.evidence, label) {
        Ok(x) if returned(x, "code").is_some() => Ruling::fail(shown(x), fix).seen_in(x.id),
        Ok(x) => Ruling::pass(shown(x)).seen_in(x.id),
        Err(ruling) => ruling,
    }
}

fn worst(rulings: [Ruling; 2]) -> Judgement {
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("not asked"))
}

/// A POST that must not be granted.
fn not_granted(talk: &Conversation<'_>, label: &str, fix: &str) -> Ruling {
    match asked(talk.evidence, label) {
        Ok(x) if status(x).is_some_and(|s| (200..300).contains(&s)) => {
            Ruling::fail(shown(x), fix).seen_in(x.id)
        }
        Ok(x) => Ruling::pass(shown(x)).seen_in(x.id),
        Err(ruling) => ruling,
    }
}

fn pkce(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    tried(talk)?;
    let fix = "refuse requests without an S256 challenge, and tokens without its verifier";
    worst([no_code(talk, NO_CHALLENGE, fix), not_granted(talk, WRONG_VERIFIER, fix)])
}

fn redirect(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refusal(talk)?;
    if let Some(open) = metadata(talk.evidence).and_then(|m| unencrypted(m.document)) {
        let says = format!("`{open}` is neither encrypted nor on this machine");
        return Ok(Ruling::fail(says, "serve the endpoints over HTTPS"));
    }
    tried(talk)?;
    let fix = "compare `redirect_uri` with the registered addresses character by character";
    let open = "register only addresses that are HTTPS or on the user's machine";
    worst([no_code(talk, OTHER_REDIRECT, fix), not_granted(talk, OPEN_REDIRECT, open)])
}

/// The endpoint that others could listen in on.
fn unencrypted(document: Document<'_>) -> Option<&str> {
    let keys = ["authorization_endpoint", "token_endpoint", "registration_endpoint"];
    keys.into_iter().filter_map(|key| document.value[key].as_str()).find(|text| {
        Url::parse(text).is_ok_and(|url| url.scheme() != "https" && !is_loopback(&url))
    })
}

fn issuer(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = tried(talk)?;
    let value = metadata(talk.evidence).map(|m| m.document.value);
    let own = value.and_then(|v| v["issuer"].as_str()).unwrap_or_default();
    let said = value.is_some_and(|v| v["authorization_response_iss_parameter_supported"] == true);
    let fix = "return `iss`, the issuer, with every code, and say so in the metadata";
    Ok(match (returned(x, "iss"), said) {
        (Some(iss), true) if iss == own => Ruling::pass("`iss` comes with the code, as announced"),
        (Some(iss), true) => Ruling::fail(format!("`iss` is {iss}, the issuer is {own}"), fix),
        (Some(_), false) => Ruling::partial("`iss` comes with the code, unannounced", fix),
        (None, true) => Ruling::fail("`iss` is announced and does not come with the code", fix),
        (None, false) => Ruling::fail("no `iss` comes with the code", fix),
    }
    .seen_in(x.id))
}
