//! Credentials and access of a server on this machine.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Startup;
use crate::probes::auth::{PROBE, endpoint, is_loopback, refusal};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door};
use crate::target::Transport;

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-local",
    title: "A local server takes credentials from its environment and keeps others out",
    facet: Facet::Authentication,
    severity: Severity::Low,
    class: None,
    requirements: &[door("AUTH-17", environment), door("SEC-05", restricted)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_local.md"),
    judge: by_rules,
};

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
