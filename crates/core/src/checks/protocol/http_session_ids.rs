//! The ids of sessions: printable, unique, and impossible to guess.

use std::collections::BTreeSet;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::http::PROBE;
use crate::probes::http_more::{IDS, SESSIONS};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-session-ids",
    title: "Session ids are printable, unique and random",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[rule("HTTP-12", printable), rule("HTTP-13", random), rule("SEC-02", secure)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &SESSIONS],
    page: include_str!("http_session_ids.md"),
    judge: by_rules,
};

const SESSION: &str = "mcp-session-id";
const FIX: &str =
    "take session ids from a cryptographic source, for instance a random UUID (version 4)";
/// What twenty samples show of a random UUID, with room for bad luck: they cannot show more.
const STRONG: f64 = 90.0;
/// Fewer varying bits than this can be tried out.
const WEAK: f64 = 40.0;

fn printable(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let opening = talk.visit(PROBE.id, "initialize")?;
    let id = opening.header(SESSION).ok_or_else(sessionless)?;
    Ok(match id.bytes().all(|b| (0x21..=0x7e).contains(&b)) {
        true => Ruling::pass("only visible ASCII characters"),
        false => Ruling::fail(
            "the session id holds characters beyond visible ASCII",
            "use only characters from 0x21 to 0x7E, for instance hexadecimal digits",
        ),
    }
    .seen_in(opening.x.id))
}

fn sessionless() -> Ruling {
    Ruling::not_applicable("the server gives no session id")
}

/// How the ids of many sessions look.
enum Quality {
    Repeated,
    /// How many bits vary, at least.
    Varying(f64),
}

fn quality(talk: &Conversation<'_>) -> Result<Quality, Ruling> {
    talk.visit(PROBE.id, "initialize")?.header(SESSION).ok_or_else(sessionless)?;
    let asked = talk.evidence.of(SESSIONS.id);
    let ids: Vec<&str> =
        asked.filter_map(|x| Some(x.http.as_ref()?.headers.get(SESSION)?.as_str())).collect();
    if ids.len() < IDS / 2 {
        return Err(Ruling::unseen(format!("only {} further sessions were opened", ids.len())));
    }
    let different: BTreeSet<&str> = ids.iter().copied().collect();
    Ok(match different.len() == ids.len() {
        true => Quality::Varying(varying_bits(&ids)),
        false => Quality::Repeated,
    })
}

/// The sum over all places of how many characters stand there, in bits: a counter or a clock varies
/// in few places only.
fn varying_bits(ids: &[&str]) -> f64 {
    let length = ids.iter().map(|id| id.len()).min().unwrap_or_default();
    let at = |place: usize| -> BTreeSet<u8> {
        ids.iter().filter_map(|id| id.as_bytes().get(place).copied()).collect()
    };
    (0..length).map(|place| (at(place).len().max(1) as f64).log2()).sum()
}

fn random(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(match quality(talk)? {
        Quality::Repeated => Ruling::fail("two sessions got the same id", FIX),
        Quality::Varying(bits) if bits >= STRONG => {
            Ruling::pass(format!("{IDS} ids, all different, random in most places"))
        }
        Quality::Varying(bits) if bits >= WEAK => {
            Ruling::partial("ids differ in fewer places than a random UUID", FIX)
        }
        Quality::Varying(_) => {
            Ruling::fail("ids differ in so few places that they can be guessed", FIX)
        }
    })
}

fn secure(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    Ok(match quality(talk)? {
        Quality::Repeated => Ruling::fail("two sessions got the same id", FIX),
        Quality::Varying(bits) if bits >= WEAK => {
            Ruling::pass("ids cannot be foretold from each other")
        }
        Quality::Varying(_) => {
            Ruling::fail("ids follow each other closely: one lets others be guessed", FIX)
        }
    })
}
