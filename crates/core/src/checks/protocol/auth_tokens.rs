//! Which tokens open a protected server.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, TokenKind};
use crate::probes::auth::{
    EXPIRED, GARBAGE, IN_QUERY, NO_TOKEN, PROBE, asked, bearer, challenge, refusal, shown, status,
    token_label,
};
use crate::probes::revisions;
use crate::revision::Revision;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door};

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-tokens",
    title: "Only valid tokens open a protected server",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: None,
    requirements: &[
        door("AUTH-01", refused),
        door("AUTH-07", low_scope),
        door("AUTH-12", foreign),
        door("AUTH-13", in_query),
        door("AUTH-19", broad),
        door("SEC-04", foreign),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_tokens.md"),
    judge: by_rules,
};

const FIX: &str = "answer every request without a valid token for this server with 401";

/// 401 is right, letting in is wrong, and other refusals are refusals.
fn turned_away(x: &Exchange) -> Ruling {
    match status(x) {
        Some(401) => Ruling::pass(shown(x)),
        Some(200..=299) => Ruling::fail(shown(x), FIX),
        Some(_) | None => Ruling::partial(shown(x), "answer with 401"),
    }
    .seen_in(x.id)
}

fn refused(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refusal(talk)?;
    let rulings = [NO_TOKEN, GARBAGE, EXPIRED].map(|label| {
        asked(talk.evidence, &format!("{label} {}", talk.revision)).map_or_else(|r| r, turned_away)
    });
    Ok(match Ruling::worst(rulings) {
        Some(worst) if worst.is_fail() || worst.partial => worst,
        Some(_) => Ruling::pass("401 without a token, with a made-up one and with an expired one"),
        None => Ruling::unseen("not asked"),
    })
}

/// The request with a token that the user gave.
fn with<'a>(talk: &Conversation<'a>, kind: TokenKind) -> Result<&'a Exchange, Ruling> {
    refusal(talk)?;
    if !talk.evidence.conditions.tokens.contains(&kind) {
        let why = format!("takes such a token; give one with --token {}=NAME", kind.as_str());
        return Err(Ruling::not_testable(why));
    }
    asked(talk.evidence, &format!("{} {}", token_label(kind), talk.revision))
}

fn foreign(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    with(talk, TokenKind::ForeignAudience).map(turned_away)
}

fn low_scope(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = with(talk, TokenKind::LowScope)?;
    let fix = "answer a valid token that lacks a scope with 403 and the challenge `insufficient_scope`, with `scope` and `resource_metadata`";
    let told = challenge(x).is_some_and(|c| {
        c.get("error").as_deref() == Some("insufficient_scope")
            && c.get("scope").is_some()
            && c.get("resource_metadata").is_some()
    });
    Ok(match status(x) {
        Some(403) if told || talk.revision < Revision::V2025_11_25 => Ruling::pass(shown(x)),
        Some(403) => Ruling::partial(format!("{}, without a full challenge", shown(x)), fix),
        Some(200..=299) => Ruling::not_testable("the first request needs no scope"),
        Some(_) | None => Ruling::fail(shown(x), fix),
    }
    .seen_in(x.id))
}

fn in_query(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    refusal(talk)?;
    if bearer(talk.evidence).is_none() {
        return Err(Ruling::not_testable(
            "takes a token that is valid; give one with --bearer-env",
        ));
    }
    let label = format!("{IN_QUERY} {}", talk.revision);
    if talk.evidence.of(PROBE.id).all(|x| x.label != label) {
        let why = "only tried on this machine: elsewhere the token would end up in a log";
        return Err(Ruling::not_testable(why));
    }
    let x = asked(talk.evidence, &label)?;
    let fix = "take tokens from the `Authorization` header alone";
    Ok(match status(x) {
        Some(200..=299) => Ruling::fail(shown(x), fix),
        Some(_) | None => Ruling::pass(shown(x)),
    }
    .seen_in(x.id))
}

fn broad(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = with(talk, TokenKind::BroadScope)?;
    Ok(match status(x) {
        Some(200..=299) => Ruling::pass(shown(x)),
        Some(_) | None => Ruling::fail(shown(x), "let a broader scope stand for those it implies"),
    }
    .seen_in(x.id))
}
