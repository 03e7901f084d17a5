//! Delays: for holes that show nothing. A text that asks for a delay and its twin that asks for
//! none are sent in turn, alone, until chance is no explanation any more.

use serde_json::Value;

use super::delivery::{Payload, everywhere, is_touchy, is_worth, shot};
use super::{DELAYS, Nonce};
use crate::evidence::{Evidence, Exchange, Profile, Tool};
use crate::probe::Call;
use crate::probes::benign::Tried;
use crate::probes::valid_call;
use crate::proof::{Oracle, is_alike, payload, says};
use crate::seed::Seed;

/// A delay and none, in the same words.
#[derive(Debug)]
pub struct Delay {
    pub name: &'static str,
    /// What is asked for, at least.
    pub ms: u64,
    /// Both with the marks of [`Nonce::fill`].
    pub slow: &'static str,
    pub fast: &'static str,
}

/// With five of each, fully apart, chance is one in 252.
const TURNS: usize = 5;

/// Every delay for every open place, short of the deep profile only where nothing else can tell;
/// once, unless it seems to work.
pub fn deliver_delays(
    evidence: &Evidence,
    seed: Seed,
    probe: &str,
    least: Profile,
    delays: &[Delay],
) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    if profile < least {
        return Vec::new();
    }
    everywhere(evidence, |tool, tried| {
        let worth = profile == Profile::Deep || is_blind(evidence, tried, probe);
        if !worth || !is_worth(evidence, tried)(least) || !is_due(evidence, tried, probe) {
            return Vec::new();
        }
        let mut seems = false;
        let mut calls = Vec::new();
        for delay in delays {
            let more = of_delay(evidence, tool, tried, probe, delay, seed);
            // One that works will do: what others ask for costs as much time.
            calls.extend(more.iter().take(if seems { 1 } else { more.len() }).cloned());
            seems |= more.len() > 1;
        }
        calls
    })
}

/// Whether a place answers everything in the same words, or minds some texts without saying why.
fn is_blind(evidence: &Evidence, tried: &Tried<'_>, probe: &str) -> bool {
    let other = probe.strip_suffix(DELAYS).unwrap_or(probe);
    let mut asked = evidence.of(other).filter(|x| x.subject == tried.word.subject);
    let same = asked.all(|x| is_alike(x, tried.word));
    let repeats = says(&tried.word.reply, &payload(tried.word));
    (same && valid_call::took(tried.word) && !repeats) || is_touchy(evidence, tried, other)
}

/// Whether all else was tried on this place and nothing is proven yet: a delay costs time.
fn is_due(evidence: &Evidence, tried: &Tried<'_>, probe: &str) -> bool {
    let other = probe.strip_suffix(DELAYS).unwrap_or(probe);
    let about = evidence.of(other).filter(|x| x.subject == tried.word.subject);
    let mut asked = about.filter(|x| x.oracle.is_some()).peekable();
    let pending = |x: &Exchange| x.reply.is_pending();
    let proven =
        |x: &Exchange| x.oracle.as_ref().is_some_and(|oracle| oracle.proof(evidence, x).is_some());
    asked.peek().is_some() && !asked.any(|x| pending(x) || proven(x))
}

fn of_delay(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    probe: &str,
    delay: &Delay,
    seed: Seed,
) -> Vec<Call> {
    let call = |slow: bool, turn: usize| {
        let name = format!("{} {} {turn}", delay.name, if slow { "slow" } else { "fast" });
        let nonce = Nonce::new(evidence, tool, &tried.place, probe, &name, seed);
        let value = Value::String(nonce.fill(if slow { delay.slow } else { delay.fast })?);
        let delay_ms = if slow { delay.ms } else { 0 };
        let oracle =
            Oracle::Timing { group: tried.entry.group(delay.name, &tried.place), delay_ms };
        shot(evidence, tool, tried, probe, &name, &Payload { value, oracle })
    };
    let Some(first) = call(true, 1) else { return Vec::new() };
    let made = evidence.of(probe).find(|x| x.subject == first.subject && x.label == first.label);
    let seems = |x: &Exchange| {
        let usual = tried.word.took.millis();
        x.reply.why_unseen().is_none() && x.took.millis() >= usual + delay.ms as f64 / 2.0
    };
    let mut calls = vec![first];
    if made.is_some_and(seems) {
        let turns = (1..=TURNS).flat_map(|turn| [(false, turn), (true, turn)]);
        calls.extend(turns.filter(|t| *t != (true, 1)).filter_map(|(slow, turn)| call(slow, turn)));
    }
    calls
}
