//! Sessions that stand in for the credential they were opened with.

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::auth::{
    NO_TOKEN, OTHERS_SESSION, PROBE, SESSION_ONLY, is_protected, shown, status,
};
use crate::probes::revisions;
use crate::proof::Proof;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/session-as-authentication",
    title: "A session id opens nothing by itself",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::MissingAuth),
    requirements: &[served("SEC-01"), served("SEC-03")],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("session_as_authentication.md"),
    judge,
};

const FIX: &str = "check the token of every request, and that the session belongs to its user";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if !is_protected(evidence) {
        return Vec::new();
    }
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let of =
        |label: &'static str| evidence.of(PROBE.id).filter(move |x| x.label.starts_with(label));
    let Some(refused) = of(NO_TOKEN).find(|x| status(x) == Some(401)) else {
        return vec![Finding::unseen(
            Subject::Server,
            "it was not seen to refuse us without a token",
        )];
    };
    let asked: Vec<&Exchange> = of(SESSION_ONLY).chain(of(OTHERS_SESSION)).collect();
    // A stream is not read to its end, but it opens only for those who are let in.
    let let_in = asked.iter().find(|x| status(x).is_some_and(|s| (200..300).contains(&s)));
    vec![match (let_in, asked.first()) {
        (Some(x), _) => {
            let says =
                format!("refuses a stranger, but not one who knows a session id: {}", shown(x));
            let proof = Proof::Contradiction { a: refused.id, b: x.id };
            Finding::fail(Subject::Server, says, FIX)
                .proven(proof)
                .seen_in(refused.id)
                .seen_in(x.id)
        }
        (None, Some(x)) => match x.reply.why_unseen() {
            Some(why) => Finding::unseen(Subject::Server, why),
            None => Finding::pass(Subject::Server, "a session id without a token gets nothing"),
        }
        .seen_in(x.id),
        (None, None) => Finding::unseen(Subject::Server, "no session was taken up without a token"),
    }]
}
