//! Servers for one machine that listen to all of them.

use std::net::IpAddr;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probes::auth;
use crate::proof::Proof;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/bound-everywhere",
    title: "A server for this machine listens on loopback only",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::MissingAuth),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("bound_everywhere.md"),
    judge,
};

const FIX: &str = "bind to 127.0.0.1 (and ::1), or ask every caller for a token";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let listens = &evidence.conditions.listens;
    let asks = match &evidence.target {
        // Who can be reached from outside anyway is judged by `open-http`.
        Target::Http { url, .. } | Target::Sse { url, .. } => {
            if !super::open_http::is_loopback(url) {
                return Vec::new();
            }
            auth::is_protected(evidence)
        }
        Target::Stdio { .. } if listens.is_empty() => return Vec::new(),
        Target::Stdio { .. } => false,
        Target::Source { .. } => return Vec::new(),
    };
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    // Over HTTP another's socket may stand beside the one that takes the connections to loopback.
    let stdio = matches!(evidence.target, Target::Stdio { .. });
    let open: Vec<String> =
        listens.iter().filter(|a| !a.is_loopback()).map(ToString::to_string).collect();
    let beside = !stdio && open.len() < listens.len();
    vec![verdict(listens, &open.join(", "), asks || beside, asks)]
}

fn verdict(listens: &[IpAddr], open: &str, fine: bool, asks: bool) -> Finding {
    if listens.is_empty() {
        let why = "the socket table of this machine does not show where it listens";
        Finding::unseen(Subject::Server, why)
    } else if asks && !open.is_empty() {
        Finding::pass(Subject::Server, format!("listens on {open}, and asks for a token"))
    } else if fine || open.is_empty() {
        Finding::pass(Subject::Server, "listens on loopback")
    } else {
        let says = format!("listens on {open} and asks nobody for a token");
        let proof = Proof::Quoted { text: open.to_owned(), rule: "HTTP-21".to_owned() };
        Finding::fail(Subject::Server, says, FIX).proven(proof)
    }
}
