//! Servers that let foreign pages read their answers.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::http::{self, EVIL_ORIGIN};
use crate::probes::http_access::{PREFLIGHT, PROBE};
use crate::probes::{auth, revisions};
use crate::proof::Proof;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/cross-origin",
    title: "No foreign page may read the answers",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::CrossOrigin),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &http::PROBE, &PROBE],
    page: include_str!("cross_origin.md"),
    judge,
};

const FIX: &str = "name the origins that may read answers in `Access-Control-Allow-Origin`, one by one; never echo `Origin`, and never allow credentials to all";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Target::Http { url, .. } = &evidence.target else { return Vec::new() };
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let asked: Vec<&Exchange> = foreign(evidence).collect();
    let Some(first) = asked.iter().find(|x| x.http.is_some()) else {
        return vec![Finding::unseen(Subject::Server, "not asked as a foreign page would")];
    };
    let open = super::open_http::is_loopback(url) && !auth::is_protected(evidence);
    let worst = asked.iter().find_map(|x| Some((x, flaw(x, open)?)));
    vec![match worst {
        Some((x, (says, text))) => {
            let proof = Proof::Quoted { text, rule: "same-origin policy".to_owned() };
            Finding::fail(Subject::Server, says, FIX).proven(proof).seen_in(x.id)
        }
        None => {
            let says = "a foreign page may not read its answers with the rights of its user";
            Finding::pass(Subject::Server, says).seen_in(first.id)
        }
    }]
}

/// What a page of another origin asks, before and in earnest.
fn foreign(evidence: &Evidence) -> impl Iterator<Item = &Exchange> {
    let posts = evidence.of(http::PROBE.id).filter(|x| x.label.starts_with("foreign Origin"));
    posts.chain(evidence.of(PROBE.id).filter(|x| x.label == PREFLIGHT))
}

/// What is wrong, and the headers that say so. Without credentials all may read what all may ask
/// for; on this machine nobody but its user should ask.
fn flaw(x: &Exchange, open: bool) -> Option<(String, String)> {
    let http = x.http.as_ref()?;
    let allowed = http.headers.get("access-control-allow-origin")?.trim();
    let credentials = http.headers.get("access-control-allow-credentials");
    let with = credentials.is_some_and(|c| c.trim().eq_ignore_ascii_case("true"));
    let echoed = allowed == EVIL_ORIGIN;
    let text = match with {
        true => format!(
            "Access-Control-Allow-Origin: {allowed}, Access-Control-Allow-Credentials: true"
        ),
        false => format!("Access-Control-Allow-Origin: {allowed}"),
    };
    match () {
        () if echoed && with => {
            Some(("lets any page act with the credentials of its reader".to_owned(), text))
        }
        () if allowed == "*" && with => {
            Some(("allows credentials to pages from everywhere".to_owned(), text))
        }
        () if open && (echoed || allowed == "*") && x.result().is_some() => {
            Some(("answers a page of evil.example and lets it read the answer".to_owned(), text))
        }
        () => None,
    }
}
