//! Servers on the network that ask nobody for a credential.

use serde_json::json;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{DownCause, Evidence, Exchange, Startup, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::auth;
use crate::proof::Proof;
use crate::revision::Revision;
use crate::scrub::names_a_secret;
use crate::seed::Seed;
use crate::spec::served;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/open-http",
    title: "A server on the network asks for a credential",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::MissingAuth),
    requirements: &[served("HTTP-22")],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("open_http.md"),
    judge,
};

const PROBE: Probe = Probe { id: "no-credential", hostile: false, lane: Lane::Shared, plan };
const FIX: &str = "answer requests without a valid token with 401 and `WWW-Authenticate`, or listen on 127.0.0.1 only";

/// Asks again without the credential we were given, if we were given one.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some((url, credentials)) = remote(evidence) else { return Vec::new() };
    if credentials.is_empty() || is_loopback(url) {
        return Vec::new();
    }
    let body = json!({"jsonrpc": "2.0", "id": "no-credential", "method": "initialize", "params": {
        "protocolVersion": Revision::NEWEST_HANDSHAKE, "capabilities": {},
        "clientInfo": {"name": "proofmark", "version": crate::VERSION}}});
    let headers = credentials.into_iter().map(|name| (name, String::new())).collect();
    let send = Send::Http { verb: "POST".to_owned(), headers, body: Some(body.to_string()) };
    vec![Call::new(Subject::Server, "initialize without credential", send)]
}

/// The address, and the headers that carry a credential.
fn remote(evidence: &Evidence) -> Option<(&str, Vec<String>)> {
    match &evidence.target {
        Target::Http { url, headers } | Target::Sse { url, headers } => {
            Some((url, headers.keys().filter(|n| names_a_secret(n)).cloned().collect()))
        }
        Target::Stdio { .. } | Target::Source { .. } => None,
    }
}

pub(super) fn is_loopback(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| auth::is_loopback(&url))
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Some((url, credentials)) = remote(evidence) else { return Vec::new() };
    let unauthorized =
        matches!(&evidence.startup, Startup::Down { cause: DownCause::Unauthorized, .. });
    vec![if unauthorized && credentials.is_empty() {
        Finding::pass(Subject::Server, "refused us without a credential")
    } else if let Some(why) = evidence.why_unseen() {
        Finding::unseen(Subject::Server, why)
    } else if is_loopback(url) {
        Finding::pass(Subject::Server, "only this machine can reach it")
    } else if url.contains("[redacted") {
        Finding::unseen(Subject::Server, "the credential is part of the address")
    } else if credentials.is_empty() {
        let says = "the session opened without any credential, on an address that others can reach";
        let proof = Proof::Quoted { text: url.to_owned(), rule: "HTTP-22".to_owned() };
        Finding::fail(Subject::Server, says, FIX).proven(proof)
    } else {
        match evidence.of(PROBE.id).next() {
            Some(x) => without_credential(x).seen_in(x.id),
            None => Finding::unseen(Subject::Server, "it was not asked without the credential"),
        }
    }]
}

fn without_credential(x: &Exchange) -> Finding {
    match (x.reply.why_unseen(), x.http.as_ref().map(|h| h.status)) {
        (_, Some(status @ (401 | 403))) => {
            Finding::pass(Subject::Server, format!("answers {status} without the credential"))
        }
        (None, Some(status @ 200..=299)) if x.result().is_some() => {
            let says = format!("answers {status} and opens a session without the credential");
            let text = format!("HTTP {status} to initialize without credential");
            let proof = Proof::Quoted { text, rule: "AUTH-01".to_owned() };
            Finding::fail(Subject::Server, says, FIX).proven(proof)
        }
        (Some(why), _) => Finding::unseen(Subject::Server, why),
        (None, _) => {
            Finding::unseen(Subject::Server, "the answer without the credential tells nothing")
        }
    }
}
