//! Strain: inputs that may cost far more than their size. They grow step by step, alone, beside an
//! ordinary input of the same size, and are repeated only where one stands out.

use serde_json::Value;

use super::delivery::{Payload, shot};
use crate::check::Finding;
use crate::evidence::{Evidence, Exchange, Profile, Reply, Tool};
use crate::probe::Call;
use crate::probes::benign::Tried;
use crate::proof::{Oracle, Proof};

/// What a hostile input must take at least, in milliseconds, and how much more than its control.
const FLOOR: f64 = 100.0;
/// What stands out at first sight takes twice as long: chance is to be no part of the proof.
const LOOK: f64 = 2.0 * FLOOR;
const BEYOND_DOUBT: f64 = 1_000.0;
/// Sizes below this tell what doubles with each letter; those above would not end then.
const FEW: usize = 40;
const TIMES: f64 = 8.0;
/// What a few letters slow down this much, hundreds would stop.
const SLOWED: f64 = 2.5;
const HINT: f64 = 20.0;
/// What is worth a second and a third look: only what stays slow leads on to other sizes.
const NUDGE: f64 = 5.0;
const LOOKS: usize = 3;
/// With four against five, fully apart, chance is one in 126.
const HOSTILE: usize = 4;
const CONTROL: usize = 5;
const HALF: usize = 3;
/// Of twice the input, a linear job takes twice the time; of three letters more, what doubles takes
/// eight times as long. Half of that leaves room for what a call costs anyway, and none for chance.
fn growth(size: usize) -> f64 {
    if size < FEW { 4.0 } else { 2.6 }
}
/// Of one step more, what doubles takes nearly twice the time.
const ON: f64 = 1.6;

/// One kind of input, in growing sizes.
#[derive(Debug)]
pub struct Strain {
    pub name: &'static str,
    pub sizes: &'static [usize],
    /// The sizes of an ordinary run: where growth is the point, none without a hint by the one before.
    pub brief: &'static [usize],
    pub hostile: fn(usize) -> Value,
    pub control: fn(usize) -> Value,
    /// A size for which the cost must be much less, where growth is the point.
    pub half: Option<fn(usize) -> usize>,
    /// One step more must take longer still: what is stopped after a while is no hole. Such strains
    /// are looked at only where they are slow beyond doubt.
    pub ahead: Option<fn(usize) -> usize>,
}

/// The next calls for one place: a larger size after one that went well, a smaller one after one that
/// stood out, more of the same where that was much faster, nothing after one that merely took long.
pub fn strained(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    probe: &str,
    strain: &Strain,
) -> Vec<Call> {
    let mut calls = Vec::new();
    let brief = evidence.conditions.profile != Profile::Deep;
    let sizes = if brief { strain.brief } else { strain.sizes };
    let look = if strain.ahead.is_some() { BEYOND_DOUBT } else { LOOK };
    let (mut doubles, mut sure) = (false, false);
    for size in sizes {
        if doubles && *size >= FEW {
            return calls;
        }
        let make = |kind: &str, turn: usize, value: Value, delay_ms: u64| {
            let group = format!("{} {size}", strain.name);
            let name = format!("{group}, {kind} {turn}");
            let payload = Payload { value, oracle: Oracle::Timing { group, delay_ms } };
            shot(evidence, tool, tried, probe, &name, &payload)
        };
        let hostile = |turn| make("hostile", turn, (strain.hostile)(*size), FLOOR as u64);
        let control = |turn| make("control", turn, (strain.control)(*size), 0);
        // The first looks at an ordinary input of this size are shared by all strains of a place.
        let shared = |name: String| {
            let oracle = Oracle::Timing { group: name.clone(), delay_ms: 0 };
            let payload = Payload { value: (strain.control)(*size), oracle };
            shot(evidence, tool, tried, probe, &name, &payload)
        };
        let plain = shared(format!("plain {size}"));
        let (Some(plain), Some(first)) = (plain, hostile(1)) else { return calls };
        let made = |call: &Call| {
            evidence.of(probe).find(|x| x.subject == call.subject && x.label == call.label)
        };
        let took = |call: &Call| {
            made(call).filter(|x| x.reply.why_unseen().is_none()).map(|x| x.took.millis())
        };
        // By the processor where the system tells: a busy machine only slows the clock.
        let seen = made(&first).and_then(|x| evidence.observed(x));
        let work = seen.map(|seen| seen.cpu_ms as f64);
        let cost = |slow: f64| work.map_or(slow, |work| work.min(slow));
        let mut seen = took(&plain).zip(took(&first));
        calls.extend([plain, first]);
        let slowed = |(plain, slow): (f64, f64)| slow >= NUDGE && slow >= plain * SLOWED;
        // Where the ordinary input took as long, either the place is slow or chance slowed that one.
        if !sure
            && seen.is_some_and(|seen| seen.1 >= look && !slowed(seen))
            && let Some(again) = shared(format!("plain {size}, again"))
        {
            seen = seen.and_then(|(plain, slow)| Some((plain.min(took(&again)?), slow)));
            calls.push(again);
        }
        if !sure && seen.is_some_and(slowed) {
            // A busy machine slows one call or another, never all of them: the fastest tells, and what
            // chance slowed leaves no trace that another run lacks.
            let slow: Vec<Call> = (2..=LOOKS).filter_map(hostile).collect();
            let plain = control(1);
            let fastest = |calls: &[Call], first: f64| {
                calls.iter().map(took).try_fold(first, |a, b| Some(a.min(b?)))
            };
            seen =
                seen.and_then(|(p, s)| Some((fastest(plain.as_slice(), p)?, fastest(&slow, s)?)));
            calls.extend(slow.into_iter().chain(plain));
            sure = seen.is_some_and(slowed);
        }
        match seen {
            None => return calls,
            Some((plain, slow)) if cost(slow) >= look && slow >= plain * TIMES => {
                // Another size is a group of its own: it is compared, and proves nothing itself.
                let other = |kind: &str, turn: usize, size: usize| {
                    let mut call = make(kind, turn, (strain.hostile)(size), 0)?;
                    let group = format!("{} {kind}", strain.name);
                    call.oracle = Some(Oracle::Timing { group, delay_ms: 0 });
                    Some(call)
                };
                let half = |turn| other("half", turn, strain.half?(*size));
                if let Some(first) = half(1) {
                    let fast = took(&first).is_some_and(|fast| slow >= fast * growth(*size));
                    calls.push(first);
                    if !fast {
                        return calls;
                    }
                }
                calls.extend((1..=CONTROL).filter_map(control));
                calls.extend((2..=HOSTILE).filter_map(hostile));
                calls.extend((2..=HALF).filter_map(half));
                calls.extend(strain.ahead.and_then(|ahead| other("ahead", 1, ahead(*size))));
                return calls;
            }
            Some((_, slow)) if slow >= look => return calls,
            Some(seen) => {
                doubles |= *size < FEW && seen.1 >= HINT && slowed(seen);
                if brief && strain.half.is_some() && *size < FEW && !slowed(seen) {
                    return calls;
                }
            }
        }
    }
    calls
}

/// A hole where the work is shown. Of what merely took longer, deep runs tell as a suspicion; ordinary
/// ones are silent, since a busy machine would change what they say.
pub fn settled(evidence: &Evidence, hole: Finding, proof: Proof, shown: bool) -> Finding {
    match (shown, evidence.conditions.profile) {
        (true, _) => hole.proven(proof),
        (false, Profile::Deep) => hole,
        (false, Profile::Quick | Profile::Standard) => {
            Finding::pass(hole.subject, "took longer, and not by its own work")
        }
    }
}

/// Whether a timing proof is about work and not about waiting, and about more than size.
pub fn is_work(evidence: &Evidence, x: &Exchange, strains: &[Strain]) -> bool {
    let Some(strain) = strains.iter().find(|s| x.label.starts_with(s.name)) else { return false };
    let beginning = x.label.split(", hostile").next().unwrap_or_default();
    let of = |kind: &str| -> Vec<&Exchange> {
        let named = format!("{beginning}, {kind}");
        evidence
            .of(&x.probe)
            .filter(|y| y.subject == x.subject && y.label.starts_with(&named))
            .collect()
    };
    let took = |calls: &[&Exchange]| middle(calls.iter().map(|c| c.took.millis()).collect());
    let cpu = |calls: &[&Exchange]| {
        let seen = calls.iter().filter_map(|call| evidence.observed(call));
        middle(seen.map(|seen| seen.cpu_ms as f64).collect())
    };
    let (hostile, control, half) = (of("hostile"), of("control"), of("half"));
    let works = match (cpu(&hostile), cpu(&control)) {
        (Some(slow), Some(plain)) => slow >= FLOOR / 2.0 && slow >= plain * 3.0,
        (None, _) | (_, None) => true,
    };
    let size = beginning.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(FEW);
    // By the clock and, where the system tells, by the processor: a busy machine only stops the former.
    let by_clock = took(&hostile).zip(took(&half));
    let by_work = cpu(&hostile).zip(cpu(&half)).or(by_clock);
    let much = |(full, half): (f64, f64)| full >= half * growth(size);
    let grows = strain.half.is_none() || by_clock.is_some_and(much) && by_work.is_some_and(much);
    let ahead = of("ahead");
    let endless = ahead.iter().any(|x| matches!(*x.reply, Reply::TimedOut { .. }));
    let goes_on = strain.ahead.is_none()
        || took(&hostile)
            .zip(took(&ahead))
            .is_some_and(|(now, then)| then >= now * ON || endless && then >= now);
    works && grows && goes_on
}

fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
