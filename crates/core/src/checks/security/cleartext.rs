//! Servers on the network that speak in the clear.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::proof::Proof;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/cleartext",
    title: "A server on the network is reached over TLS",
    facet: Facet::Authentication,
    severity: Severity::Medium,
    class: Some(Class::Cleartext),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("cleartext.md"),
    judge,
};

const FIX: &str = "serve it over https, and redirect or refuse plain http";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let url = match &evidence.target {
        Target::Http { url, .. } | Target::Sse { url, .. } => url,
        Target::Stdio { .. } | Target::Source { .. } => return Vec::new(),
    };
    if super::open_http::is_loopback(url) {
        return Vec::new();
    }
    vec![match (url.starts_with("https:"), evidence.why_unseen()) {
        (true, _) => Finding::pass(Subject::Server, "reached over TLS"),
        (false, Some(why)) => Finding::unseen(Subject::Server, why),
        (false, None) => {
            let says = "answers over plain http, where everyone on the way can read and change it";
            let proof = Proof::Quoted { text: url.clone(), rule: "no TLS off loopback".to_owned() };
            Finding::fail(Subject::Server, says, FIX).proven(proof)
        }
    }]
}
