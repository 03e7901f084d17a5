//! Asks a server that protects itself: without and with wrong tokens, and where a token can be had.

mod flow;
mod place;
mod seen;

use serde_json::{Value, json};
use url::Url;

use crate::evidence::{Evidence, Subject, TokenKind};
use crate::probe::{Call, Connection, Lane, Probe, Send};
use crate::probes::stateless;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{Conversation, sides};
use crate::target::Transport;

pub use flow::{
    AUTHORIZE, NO_CHALLENGE, OPEN_REDIRECT, OTHER_REDIRECT, REGISTER, WRONG_VERIFIER, returned,
    why_no_flow,
};
pub use place::{bearer, credentials, endpoint, is_loopback, near};
pub use seen::{
    Challenge, Document, Metadata, asked, challenge, follows_framework, metadata, refusal,
    resource, resource_of, server, shown, status,
};

pub const PROBE: Probe = Probe { id: "authorization", hostile: false, lane: Lane::Shared, plan };

/// Labels; those of requests to the endpoint are followed by the revision.
pub const NO_TOKEN: &str = "no token";
pub const GARBAGE: &str = "garbage token";
pub const EXPIRED: &str = "expired token";
pub const IN_QUERY: &str = "token in the query";
pub const SESSION_ONLY: &str = "session without token";
pub const OTHERS_SESSION: &str = "session with the token of another user";
pub const RESOURCE_AT_PATH: &str = "resource metadata at the path";
pub const RESOURCE_AT_ROOT: &str = "resource metadata at the root";
pub const RESOURCE_NAMED: &str = "resource metadata as the challenge says";
pub const SERVER_AT_ROOT: &str = "server metadata at the root";
pub const SERVER_OAUTH: &str = "server metadata (RFC 8414)";
pub const SERVER_OIDC: &str = "server metadata (OpenID Connect)";
pub const SERVER_OIDC_AFTER: &str = "server metadata (OpenID Connect, after the path)";
/// Where a 2025-03-26 client looks when there is no metadata.
pub const DEFAULTS: [&str; 3] = ["/authorize", "/token", "/register"];

const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const OAUTH: &str = "/.well-known/oauth-authorization-server";
const OIDC: &str = "/.well-known/openid-configuration";
/// Looks like a JWT that ended in 1970, under a signature of nothing.
const STALE: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJwcm9vZm1hcmsiLCJleHAiOjF9.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// We were given a credential, or were refused without one.
pub fn is_protected(evidence: &Evidence) -> bool {
    let refused = |x: &crate::evidence::Exchange| status(x) == Some(401);
    evidence.conditions.transport == Transport::Http
        && (!credentials(evidence).is_empty() || evidence.transcript.iter().any(refused))
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let Some(endpoint) = endpoint(evidence).filter(|_| is_protected(evidence)) else {
        return Vec::new();
    };
    let mut calls = Vec::new();
    for revision in revisions(evidence) {
        calls.extend(knocks(evidence, &endpoint, revision));
    }
    calls.extend(sessions(evidence));
    calls.extend(documents(evidence, &endpoint));
    calls.extend(flow::calls(evidence, seed));
    calls
}

/// Those that know of authorization and are spoken, or the likeliest one.
fn revisions(evidence: &Evidence) -> Vec<Revision> {
    let talks = Conversation::all(evidence).into_iter().chain(Conversation::at_the_door(evidence));
    talks.map(|t| t.revision).filter(|r| *r >= Revision::V2025_03_26).collect()
}

pub fn token_label(kind: TokenKind) -> String {
    format!("{} token", kind.as_str())
}

/// The first request of a session with these tokens or none.
fn knocks(evidence: &Evidence, endpoint: &Url, revision: Revision) -> Vec<Call> {
    let given = &evidence.conditions.tokens;
    let bearing = |token: &str| format!("Bearer {token}");
    let stale = match given.contains(&TokenKind::Expired) {
        true => TokenKind::Expired.mask(),
        false => STALE.to_owned(),
    };
    let mut knocks = vec![
        (NO_TOKEN.to_owned(), String::new(), String::new()),
        (GARBAGE.to_owned(), bearing("proofmark-no-such-token"), String::new()),
        (EXPIRED.to_owned(), bearing(&stale), String::new()),
    ];
    // Elsewhere a real token would end up in somebody's log.
    if let Some(token) = bearer(evidence).filter(|_| is_loopback(endpoint)) {
        let query = format!("?access_token={token}");
        knocks.push((IN_QUERY.to_owned(), String::new(), query));
    }
    for kind in [TokenKind::LowScope, TokenKind::BroadScope, TokenKind::ForeignAudience] {
        if given.contains(&kind) {
            knocks.push((token_label(kind), bearing(&kind.mask()), String::new()));
        }
    }
    let knock = |(label, authorization, url): (String, String, String)| {
        let (mut headers, body) = opening(revision);
        headers.extend(bare(evidence));
        headers.push(("authorization".to_owned(), authorization));
        let body = Some(body.to_string());
        let send = Send::Aside { verb: "POST".to_owned(), url, headers, body };
        Call::new(Subject::Server, format!("{label} {revision}"), send)
    };
    knocks.into_iter().map(knock).collect()
}

/// The headers and the body of a first request.
fn opening(revision: Revision) -> (Vec<(String, String)>, Value) {
    let (method, params) = match revision.is_stateless() {
        true => ("server/discover", json!({ "_meta": stateless::meta() })),
        false => (
            "initialize",
            json!({"protocolVersion": revision, "capabilities": {},
                "clientInfo": {"name": "proofmark", "version": crate::VERSION}}),
        ),
    };
    let (version, method_header) = match revision.is_stateless() {
        true => (revision.as_str(), method),
        false => ("", ""),
    };
    let headers = [("mcp-protocol-version", version), ("mcp-method", method_header)];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let body = json!({"jsonrpc": "2.0", "id": "knock", "method": method, "params": params});
    (headers, body)
}

/// Takes away the session and every credential.
fn bare(evidence: &Evidence) -> Vec<(String, String)> {
    let names = credentials(evidence).into_iter().chain(["mcp-session-id"]);
    names.map(|name| (name.to_ascii_lowercase(), String::new())).collect()
}

/// A session of ours, taken up without our token.
fn sessions(evidence: &Evidence) -> Vec<Call> {
    let spoken = sides::spoken(evidence).into_iter().filter(|(r, _)| !r.is_stateless());
    let body = json!({"jsonrpc": "2.0", "id": "session", "method": "tools/list"}).to_string();
    let call = |label: &str, token: String, revision: Revision, on: Connection| {
        let mut headers = bare(evidence);
        headers.retain(|(name, _)| name != "mcp-session-id");
        headers.push(("authorization".to_owned(), token));
        let (verb, url, body) = ("POST".to_owned(), String::new(), Some(body.clone()));
        let send = Send::Aside { verb, url, headers, body };
        Call::new(Subject::Server, format!("{label} {revision}"), send).on(on)
    };
    let other = evidence.conditions.tokens.contains(&TokenKind::OtherUser);
    let mut calls = Vec::new();
    for (revision, on) in spoken.filter(|(r, _)| *r >= Revision::V2025_03_26) {
        calls.push(call(SESSION_ONLY, String::new(), revision, on));
        if other {
            let token = format!("Bearer {}", TokenKind::OtherUser.mask());
            calls.push(call(OTHERS_SESSION, token, revision, on));
        }
    }
    calls
}

/// Everything that says where a token can be had, as far as it may be asked.
fn documents(evidence: &Evidence, endpoint: &Url) -> Vec<Call> {
    let path = endpoint.path().trim_end_matches('/');
    let mut wanted = vec![
        (RESOURCE_AT_PATH, format!("{RESOURCE}{path}")),
        (RESOURCE_AT_ROOT, RESOURCE.to_owned()),
        (SERVER_AT_ROOT, OAUTH.to_owned()),
    ];
    let named = revisions(evidence).into_iter().find_map(|r| {
        challenge(asked(evidence, &format!("{NO_TOKEN} {r}")).ok()?)?.get("resource_metadata")
    });
    wanted.extend(named.filter(|u| near(evidence, u).is_some()).map(|u| (RESOURCE_NAMED, u)));
    if let Some(server) = server(evidence).and_then(|url| near(evidence, &url)) {
        let path = server.path().trim_end_matches('/');
        let at = |path: String| server.join(&path).map(String::from).unwrap_or_default();
        wanted.extend([
            (SERVER_OAUTH, at(format!("{OAUTH}{path}"))),
            (SERVER_OIDC, at(format!("{OIDC}{path}"))),
        ]);
        if !path.is_empty() {
            wanted.push((SERVER_OIDC_AFTER, at(format!("{path}{OIDC}"))));
        }
    }
    if asked(evidence, SERVER_AT_ROOT).is_ok_and(|x| status(x) != Some(200)) {
        wanted.extend(DEFAULTS.map(|path| (path, path.to_owned())));
    }
    let call = |(label, url): (&str, String)| {
        let headers = document_headers(evidence);
        let send = Send::Aside { verb: "GET".to_owned(), url, headers, body: None };
        Call::new(Subject::Server, label, send)
    };
    wanted.into_iter().map(call).collect()
}

fn document_headers(evidence: &Evidence) -> Vec<(String, String)> {
    let mut headers = bare(evidence);
    headers.push(("authorization".to_owned(), String::new()));
    headers.push(("mcp-protocol-version".to_owned(), Revision::NEWEST_HANDSHAKE.to_string()));
    headers.push(("accept".to_owned(), "application/json".to_owned()));
    headers
}
