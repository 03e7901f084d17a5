//! A local server that answers foreign pages: any web page can use its tools.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::http::{PLAIN, PROBE};
use crate::probes::revisions;
use crate::proof::Proof;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/dns-rebinding",
    title: "A local server answers no foreign page",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::DnsRebinding),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("dns_rebinding.md"),
    judge,
};

const FIX: &str = "refuse requests whose `Host` or `Origin` is not one of the server's own names with 403; SDKs have an option for it";
/// What a browser sends once the name of a page has been rebound to loopback.
const REBOUND: &str = "foreign Host and Origin";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Target::Http { url, .. } = &evidence.target else { return Vec::new() };
    if !super::open_http::is_loopback(url) {
        return Vec::new();
    }
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let rebound = |x: &&Exchange| x.label.starts_with(REBOUND);
    // One revision tells: the guard stands before the protocol.
    vec![match evidence.of(PROBE.id).filter(rebound).last() {
        Some(x) => verdict(evidence, x).seen_in(x.id),
        None => Finding::unseen(Subject::Server, "not asked as a foreign page would"),
    }]
}

fn verdict(evidence: &Evidence, rebound: &Exchange) -> Finding {
    let revision = rebound.label.rsplit(' ').next().unwrap_or_default();
    let label = format!("{PLAIN} {revision}");
    let Some(plain) = evidence.of(PROBE.id).find(|x| x.label == label) else {
        return Finding::unseen(Subject::Server, "there is nothing to compare with");
    };
    let status = rebound.http.as_ref().map_or(0, |h| h.status);
    match (plain.result(), rebound.result()) {
        (Some(own), Some(foreign)) if own == foreign => {
            let says = "answers a page of evil.example as it answers its own client";
            let text =
                format!("HTTP {status} with the same result, to Host and Origin evil.example");
            let proof = Proof::Quoted { text, rule: "HTTP-19".to_owned() };
            Finding::fail(Subject::Server, says, FIX).proven(proof)
        }
        (Some(_), None) if status >= 400 => {
            Finding::pass(Subject::Server, format!("refuses a foreign page with {status}"))
        }
        (Some(_) | None, _) => {
            Finding::unseen(Subject::Server, "the answers to both requests tell nothing")
        }
    }
}
