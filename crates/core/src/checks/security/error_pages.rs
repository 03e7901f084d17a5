//! Pages for broken requests that show the inside of the server.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::http_access::{BROKEN, NOWHERE, PROBE, page};
use crate::proof::Proof;
use crate::response::{disclosed, quote};
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/error-pages",
    title: "Pages for broken requests disclose nothing",
    facet: Facet::ErrorDisclosure,
    severity: Severity::Medium,
    class: Some(Class::InfoDisclosure),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("error_pages.md"),
    judge,
};

const FIX: &str = "turn off the debug mode of the web framework, and answer broken requests with a status and one sentence";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Target::Http { .. } = &evidence.target else { return Vec::new() };
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let broken = |x: &&Exchange| BROKEN.contains(&x.label.as_str()) || x.label == NOWHERE;
    let asked: Vec<&Exchange> =
        evidence.of(PROBE.id).filter(broken).filter(|x| x.http.is_some()).collect();
    let Some(first) = asked.first() else {
        return vec![Finding::unseen(Subject::Server, "no broken request was answered")];
    };
    let shown = asked.iter().find_map(|x| Some((x, disclosed(evidence, x, &plain(&page(x)))?)));
    vec![match shown {
        Some((x, (rule, quoted))) => {
            let says = format!("the page for \"{}\" shows {rule}: \"{}\"", x.label, quote(&quoted));
            let proof = Proof::Quoted { text: quote(&quoted), rule: rule.to_owned() };
            Finding::fail(Subject::Server, says, FIX).proven(proof).seen_in(x.id)
        }
        None => {
            let says = format!("{} broken requests, and nothing of the inside", asked.len());
            Finding::pass(Subject::Server, says).seen_in(first.id)
        }
    }]
}

/// A page without its markup.
fn plain(page: &str) -> String {
    let page = page
        .replace("<br>", "\n")
        .replace("&nbsp;", " ")
        .replace("&quot;", "\"")
        .replace("&#34;", "\"");
    page.replace("&#x27;", "'").replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">")
}
