//! Asking an authorization server on this machine for codes it must not give out. A client has to
//! be registered for that, so it takes a run that may write.

use serde_json::json;
use url::Url;

use super::{Document, asked, endpoint, is_loopback, metadata};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probe::{Call, Risk, Send};
use crate::seed::Seed;

pub const REGISTER: &str = "register";
pub const OPEN_REDIRECT: &str = "register an unencrypted address elsewhere";
pub const AUTHORIZE: &str = "authorize";
pub const NO_CHALLENGE: &str = "authorize without challenge";
pub const OTHER_REDIRECT: &str = "authorize towards another address";
pub const WRONG_VERIFIER: &str = "token with a wrong verifier";

/// Nobody listens there, and no redirect is followed.
const BACK: &str = "http://127.0.0.1:9/proofmark";
/// The challenge of the example in RFC 7636.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const WRONG: &str = "proofmark-proofmark-proofmark-proofmark-proofmark";

/// Why the flow is not tried, if so.
pub fn why_no_flow(evidence: &Evidence) -> Option<String> {
    let Some(found) = metadata(evidence) else {
        return Some("the metadata of the authorization server was not seen".to_owned());
    };
    let here = |url: &Url| is_loopback(url);
    let ends = ["authorization_endpoint", "token_endpoint"].map(|key| place(found.document, key));
    if !endpoint(evidence).is_some_and(|u| here(&u)) || !ends.iter().flatten().all(here) {
        return Some("only tried with an authorization server on this machine".to_owned());
    }
    if evidence.conditions.policy.allow < Risk::Writes {
        return Some("needs a registered client; allow it with --disposable".to_owned());
    }
    if place(found.document, "registration_endpoint").is_none_or(|u| !here(&u)) {
        return Some("no client can be registered here".to_owned());
    }
    None
}

fn place(document: Document<'_>, key: &str) -> Option<Url> {
    document.value.get(key)?.as_str().and_then(|url| Url::parse(url).ok())
}

pub(super) fn calls(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let (None, Some(found)) = (why_no_flow(evidence), metadata(evidence)) else {
        return Vec::new();
    };
    let at = |key: &str| place(found.document, key);
    let mut calls = Vec::new();
    if let Some(url) = at("registration_endpoint") {
        calls.push(register(REGISTER, &url, BACK));
        calls.push(register(OPEN_REDIRECT, &url, "http://proofmark.example/back"));
    }
    let client = asked(evidence, REGISTER).ok().and_then(|x| x.result()?["client_id"].as_str());
    let (Some(client), Some(url)) = (client, at("authorization_endpoint")) else { return calls };
    let state = seed.word("state", 16);
    let elsewhere = format!("{BACK}/elsewhere");
    calls.push(authorize(AUTHORIZE, &url, client, BACK, Some(CHALLENGE), &state));
    calls.push(authorize(NO_CHALLENGE, &url, client, BACK, None, &state));
    calls.push(authorize(OTHER_REDIRECT, &url, client, &elsewhere, Some(CHALLENGE), &state));
    let code = asked(evidence, AUTHORIZE).ok().and_then(|x| returned(x, "code"));
    if let (Some(code), Some(url)) = (code, at("token_endpoint")) {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", &code)
            .append_pair("client_id", client)
            .append_pair("redirect_uri", BACK)
            .append_pair("code_verifier", WRONG)
            .finish();
        calls.push(post(WRONG_VERIFIER, &url, "application/x-www-form-urlencoded", form));
    }
    calls
}

/// A parameter of the address to which an answer sends the user back.
pub fn returned(x: &Exchange, name: &str) -> Option<String> {
    let place = Url::parse(x.http.as_ref()?.headers.get("location")?).ok()?;
    place.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn register(label: &str, url: &Url, back: &str) -> Call {
    let body = json!({"client_name": "proofmark", "redirect_uris": [back],
        "token_endpoint_auth_method": "none", "grant_types": ["authorization_code"],
        "response_types": ["code"]});
    post(label, url, "application/json", body.to_string())
}

fn post(label: &str, url: &Url, kind: &str, body: String) -> Call {
    let headers = headers(&[("content-type", kind)]);
    let (verb, url, body) = ("POST".to_owned(), url.to_string(), Some(body));
    Call::new(Subject::Server, label, Send::Aside { verb, url, headers, body })
}

fn authorize(
    label: &str,
    url: &Url,
    client: &str,
    back: &str,
    challenge: Option<&str>,
    state: &str,
) -> Call {
    let mut url = url.clone();
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", client)
        .append_pair("redirect_uri", back)
        .append_pair("state", state);
    if let Some(challenge) = challenge {
        url.query_pairs_mut()
            .append_pair("code_challenge", challenge)
            .append_pair("code_challenge_method", "S256");
    }
    let send =
        Send::Aside { verb: "GET".to_owned(), url: url.into(), headers: headers(&[]), body: None };
    Call::new(Subject::Server, label, send)
}

/// An authorization server learns nothing of our session.
fn headers(more: &[(&str, &str)]) -> Vec<(String, String)> {
    let all = [("authorization", ""), ("mcp-session-id", ""), ("accept", "application/json")];
    let all = all.iter().chain(more);
    all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
