//! Whether anything but a token opens a protected server, and who can reach a local one.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Startup, TokenKind};
use crate::probes::auth::{
    OTHERS_SESSION, PROBE, SESSION_ONLY, asked, endpoint, is_loopback, refusal, shown, status,
};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door, rule};
use crate::target::Transport;

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-access",
    title: "Access takes a credential: no session id, no neighbour gets around it",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: None,
    requirements: &[
        rule("SEC-01", alone),
        rule("SEC-03", bound),
        door("SEC-05", restricted),
        door("AUTH-17", environment),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_access.md"),
    judge: by_rules,
};

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

fn environment(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(match &talk.evidence.startup {
        Startup::Down { says, .. } => Ruling::pass(format!("says what it lacks: {says}")),
        Startup::Up { .. } | Startup::NotTried => {
            Ruling::pass("came up with what its environment gives it")
        }
    })
}

fn restricted(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    match talk.transport() {
        Transport::Stdio => return Ok(Ruling::pass("only whoever started it can talk to it")),
        Transport::Http | Transport::Sse | Transport::None => {}
    }
    if !endpoint(talk.evidence).is_some_and(|url| is_loopback(&url)) {
        return Err(Ruling::not_applicable("not a server on this machine"));
    }
    Ok(match refusal(talk) {
        Ok(x) => Ruling::pass("asks for a token").seen_in(x.id),
        Err(_) => Ruling::pass("asks for no token, but only this machine can reach it"),
    })
}
