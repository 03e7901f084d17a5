//! Whether `ping` is answered, also beside other work.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::{in_flight, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/ping",
    title: "A ping is answered at once, with nothing in it",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("PING-01", answered)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &in_flight::PROBE],
    page: include_str!("ping.md"),
    judge: by_rules,
};

/// Ours: the specification says "promptly".
const PROMPT_MS: f64 = 1_000.0;

fn answered(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let pings = talk.of(in_flight::PROBE.id).filter(|x| x.send.method() == Some("ping"));
    let worst = Ruling::worst(pings.map(|x| verdict(talk, x).seen_in(x.id)));
    worst.ok_or_else(|| Ruling::unseen("no ping was sent"))
}

fn verdict(talk: &Conversation<'_>, x: &Exchange) -> Ruling {
    let fix = "answer `ping` with an empty result, whatever else is under way";
    let says = format!("a ping beside other requests: {}", talk.shown(x));
    match &*x.reply {
        Reply::Result { value } if !is_empty(value) => {
            Ruling::fail("the result of ping is not empty".to_owned(), fix)
        }
        Reply::Result { .. } if x.took.millis() > PROMPT_MS => {
            Ruling::partial("a ping beside other requests took more than a second", fix)
        }
        Reply::Result { .. } => Ruling::pass("pings beside other requests were answered"),
        Reply::Error { .. } | Reply::Malformed { .. } => Ruling::fail(says, fix),
        Reply::TimedOut { .. } if talk.lived_on(x) => Ruling::fail(says, fix),
        Reply::TimedOut { .. } | Reply::Silence | Reply::Disconnected | Reply::Skipped { .. } => {
            Ruling::unseen(says)
        }
    }
}

fn is_empty(result: &Value) -> bool {
    result.as_object().is_some_and(|r| r.keys().all(|key| key == "_meta"))
}
