//! What the server says of itself when the session opens.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Handshake, Subject};
use crate::response::quote;
use crate::revision::Revision;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "protocol/handshake-shape",
    title: "The session opens with a complete and well-typed answer",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[served("LIFE-01"), served("LIFE-10"), served("LIFE-14")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("handshake_shape.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let Some(handshake) = &evidence.handshake else {
        return vec![Finding::unseen(Subject::Server, "no session was opened")];
    };
    let wrong = problems(handshake);
    let finding = if wrong.is_empty() {
        Finding::pass(
            Subject::Server,
            format!("opened with revision {}, capabilities and identity", handshake.answered),
        )
    } else {
        Finding::fail(
            Subject::Server,
            wrong.join("; "),
            "answer with `protocolVersion` (a published revision), `capabilities` (an object) and `serverInfo` with a non-empty `name` and `version`",
        )
    };
    vec![finding.seen_in(handshake.exchange)]
}

fn problems(handshake: &Handshake) -> Vec<String> {
    let mut wrong = Vec::new();
    if handshake.answered.parse::<Revision>().is_err() {
        let answered = quote(&handshake.answered);
        wrong.push(format!("`protocolVersion` is \"{answered}\", which is no published revision"));
    }
    if !handshake.capabilities.is_object() {
        wrong.push("`capabilities` is not an object".to_owned());
    }
    let server = &handshake.server;
    for (field, value) in [("name", &server.name), ("version", &server.version)] {
        match value {
            Some(text) if !text.trim().is_empty() => {}
            Some(_) => wrong.push(format!("`serverInfo.{field}` is empty")),
            // A stateless server should identify itself, but need not.
            None if handshake.revision.is_stateless() => {}
            None => wrong.push(format!("`serverInfo.{field}` is missing or no string")),
        }
    }
    wrong
}
