//! Session ids that the client, or somebody for it, may choose.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::http_access::{CHOSEN, CHOSEN_USED, PROBE, adopted};
use crate::proof::Proof;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/session-fixation",
    title: "The server alone makes session ids",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::SessionFixation),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("session_fixation.md"),
    judge,
};

const FIX: &str =
    "make a new random id for every `initialize`, and ignore the one that comes with it";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Target::Http { .. } = &evidence.target else { return Vec::new() };
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let Some(x) = evidence.of(PROBE.id).find(|x| x.label == CHOSEN) else {
        return vec![Finding::unseen(Subject::Server, "not asked with an id of our choice")];
    };
    if let Some(why) = x.reply.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why).seen_in(x.id)];
    }
    let used = evidence.of(PROBE.id).find(|x| x.label == CHOSEN_USED);
    vec![
        match (adopted(evidence), used) {
            (None, _) => Finding::pass(Subject::Server, "our own id was not taken over"),
            (Some(_), Some(used)) if is_success(used) => {
                let says = "opens a session under the id that the client brings along";
                let text =
                    "Mcp-Session-Id of our choice came back, and a ping under it was answered";
                let proof = Proof::Quoted { text: text.to_owned(), rule: "SEC-02".to_owned() };
                Finding::fail(Subject::Server, says, FIX).proven(proof).seen_in(used.id)
            }
            (Some(_), Some(_) | None) => Finding::fail(
                Subject::Server,
                "gives back the session id that the client chose",
                FIX,
            ),
        }
        .seen_in(x.id),
    ]
}

fn is_success(x: &Exchange) -> bool {
    x.http.as_ref().is_some_and(|h| (200..300).contains(&h.status))
}
