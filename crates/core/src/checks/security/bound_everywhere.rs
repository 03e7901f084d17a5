//! Servers for one machine that listen to all of them.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Listener, Subject};
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
    let asks = match &evidence.target {
        // Who can be reached from outside anyway is judged by `open-http`.
        Target::Http { url, .. } | Target::Sse { url, .. } => {
            if !super::open_http::is_loopback(url) {
                return Vec::new();
            }
            auth::is_protected(evidence)
        }
        Target::Stdio { .. } if evidence.listeners.is_empty() => return Vec::new(),
        Target::Stdio { .. } => false,
        Target::Source { .. } => return Vec::new(),
    };
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    vec![verdict(&evidence.listeners, asks)]
}

fn verdict(listeners: &[Listener], asks: bool) -> Finding {
    let places: Vec<String> = listeners.iter().map(shown).collect();
    let open: Vec<String> = listeners.iter().filter(|l| l.is_reachable()).map(shown).collect();
    if places.is_empty() {
        let why = "the socket table of this machine does not show where it listens";
        Finding::unseen(Subject::Server, why)
    } else if open.is_empty() {
        Finding::pass(Subject::Server, format!("listens on {}", places.join(", ")))
    } else if asks {
        Finding::pass(
            Subject::Server,
            format!("listens on {}, and asks for a token", open.join(", ")),
        )
    } else {
        let says = format!("listens on {} and asks nobody for a token", open.join(", "));
        let proof = Proof::Quoted { text: open.join(", "), rule: "HTTP-21".to_owned() };
        Finding::fail(Subject::Server, says, FIX).proven(proof)
    }
}

fn shown(listener: &Listener) -> String {
    match listener.address.contains(':') {
        true => format!("[{}]:{}", listener.address, listener.port),
        false => format!("{}:{}", listener.address, listener.port),
    }
}
