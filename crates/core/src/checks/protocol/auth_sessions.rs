//! Whether a session id opens what a token should.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, TokenKind};
use crate::probes::auth::{OTHERS_SESSION, PROBE, SESSION_ONLY, asked, refusal, status};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-sessions",
    title: "A session id is no credential",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: None,
    requirements: &[rule("SEC-01", alone), rule("SEC-03", bound)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_sessions.md"),
    judge: by_rules,
};

fn shown(x: &Exchange) -> String {
    format!("{}: HTTP {}", x.label, status(x).unwrap_or_default())
}

/// The server protects itself and gives out session ids.
fn with_id(talk: &Conversation<'_>) -> Result<(), Ruling> {
    refusal(talk)?;
    let names =
        |x: &Exchange| x.http.as_ref().is_some_and(|h| h.headers.contains_key("mcp-session-id"));
    match !talk.revision.is_stateless() && talk.exchanges().any(names) {
        true => Ok(()),
        false => Err(Ruling::not_applicable("it gives out no session ids")),
    }
}

fn alone(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    with_id(talk)?;
    let x = asked(talk.evidence, &format!("{SESSION_ONLY} {}", talk.revision))?;
    let fix = "check the token of every request, also within a session";
    Ok(match status(x) {
        Some(401) => Ruling::pass(shown(x)),
        Some(200..=299) => Ruling::fail(shown(x), fix),
        Some(_) | None => Ruling::partial(shown(x), fix),
    }
    .seen_in(x.id))
}

fn bound(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    with_id(talk)?;
    if !talk.evidence.conditions.tokens.contains(&TokenKind::OtherUser) {
        let why = "takes the token of a second user; give one with --token other-user=NAME";
        return Err(Ruling::not_testable(why));
    }
    let x = asked(talk.evidence, &format!("{OTHERS_SESSION} {}", talk.revision))?;
    Ok(match status(x) {
        Some(200..=299) => Ruling::fail(shown(x), "bind each session to the user who opened it"),
        Some(_) | None => Ruling::pass(shown(x)),
    }
    .seen_in(x.id))
}
