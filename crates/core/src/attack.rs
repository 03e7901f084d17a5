//! Attacks: what the hostile calls of a probe come to. One finding per hole, one per tool without,
//! and one for each parameter that no payload got through to.

pub(crate) mod address;
pub(crate) mod archive;
pub(crate) mod code;
mod complaint;
pub(crate) mod costly;
mod delays;
mod delivery;
pub mod door;
pub(crate) mod entity;
pub(crate) mod header;
mod nonce;
mod offer;
pub mod openness;
pub mod path;
pub(crate) mod saved;
pub(crate) mod shell;
pub(crate) mod sql;
pub mod stand;
mod stored;
pub mod strain;
pub(crate) mod xml;

pub use complaint::complains_of_sql;
pub use delays::{Delay, deliver_delays};
pub use delivery::{
    Form, Pair, Payload, deliver, deliver_pairs, deliver_where, everywhere, in_tools, shot,
};
pub use door::Entry;
pub use nonce::{Nonce, escaped};
pub use offer::{Offer, offer, proven_unless};
pub(crate) use stored::TAKEN_UP;
pub use stored::{deliver_kept, deliver_stored};

use std::collections::BTreeMap;

use crate::check::{Finding, Outcome};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::benign::{self, is_refused};
use crate::proof::{Proof, twin};
use crate::response::{Answer, Trouble, quote};

/// Ends the id of the probe that sends the delays of an attack: those run alone.
const DELAYS: &str = "-delays";

/// Ends the id of the probe that keeps payloads and looks who takes them up: those run in turn.
const KEPT: &str = "-kept";

/// Whether a call asks for a delay, which only who runs it keeps.
pub fn is_delay(x: &Exchange) -> bool {
    x.probe.ends_with(DELAYS)
}

/// How a check reads the calls of its probe.
#[derive(Debug)]
pub struct Attack {
    pub probe: &'static str,
    /// The finding for a call whose oracle came true.
    pub hole: fn(&Evidence, &Exchange, Proof) -> Finding,
    /// What an answer without proof tells all the same: shown for review.
    pub suspicion: fn(&Evidence, &Exchange) -> Option<Finding>,
    /// Whether the answer of the benign twin shows that calls get through to the work.
    pub reached: fn(&Answer) -> bool,
    /// What a tool without holes showed.
    pub clean: &'static str,
}

/// Calls that are turned away for their shape, for a missing key or software never get to work.
pub fn gets_through(answer: &Answer) -> bool {
    match answer {
        Answer::Refused { message: text, .. } | Answer::ToolError(text) => {
            !is_refused(answer)
                && !matches!(Trouble::of(text), Trouble::Credential | Trouble::Software)
        }
        Answer::Accepted | Answer::Malformed(_) | Answer::Crashed => true,
        Answer::Hung | Answer::Unseen(_) => false,
    }
}

/// Whether another attack is proven in the same place: what it shows must not be called by two names.
pub(crate) fn is_proven_by(evidence: &Evidence, x: &Exchange, probe: &str) -> bool {
    let mut same = evidence.of(probe).filter(|y| y.subject == x.subject);
    same.any(|y| y.oracle.as_ref().is_some_and(|o| o.proof(evidence, y).is_some()))
}

/// For attacks that only proof tells of.
pub fn nothing_else(_: &Evidence, _: &Exchange) -> Option<Finding> {
    None
}

impl Attack {
    /// Empty when no tool was attacked.
    pub fn judge(&self, evidence: &Evidence) -> Vec<Finding> {
        if let Some(why) = evidence.why_no_tools() {
            return vec![Finding::unseen(Subject::Server, why)];
        }
        let calls = self.calls(evidence);
        let tools = evidence.tools().flat_map(|tool| self.of_tool(evidence, tool, &calls));
        tools.chain(self.of_doors(evidence, &calls)).collect()
    }

    /// The hostile calls, also those made for their timing or to be kept, in plan order.
    fn calls<'a>(&self, evidence: &'a Evidence) -> Vec<&'a Exchange> {
        let of = |end: &str| evidence.of(&format!("{}{end}", self.probe)).collect::<Vec<_>>();
        let all = ["", DELAYS, KEPT].into_iter().flat_map(of);
        let mut calls: Vec<&Exchange> = all.filter(|x| x.oracle.is_some()).collect();
        calls.sort_by_key(|x| x.id);
        calls
    }

    /// One finding for each template and each prompt that was attacked.
    fn of_doors(&self, evidence: &Evidence, calls: &[&Exchange]) -> Vec<Finding> {
        let mut by_subject: BTreeMap<&Subject, Vec<&Exchange>> = BTreeMap::new();
        let is_door =
            |x: &&Exchange| matches!(x.subject, Subject::Resource { .. } | Subject::Prompt { .. });
        for x in calls.iter().copied().filter(is_door) {
            by_subject.entry(&x.subject).or_default().push(x);
        }
        let of_door = |(subject, calls): (&Subject, &Vec<&Exchange>)| {
            self.found(evidence, calls).unwrap_or_else(|| {
                match calls.iter().find(|x| self.is_delivered(evidence, x)) {
                    Some(x) => Finding::pass(subject.clone(), self.clean).seen_in(x.id),
                    None => Finding::unseen(subject.clone(), self.why(evidence, calls)),
                }
            })
        };
        by_subject.iter().map(|(subject, calls)| of_door((subject, calls))).collect()
    }

    fn of_tool(&self, evidence: &Evidence, tool: &Tool, calls: &[&Exchange]) -> Vec<Finding> {
        let mut by_subject: BTreeMap<&Subject, Vec<&Exchange>> = BTreeMap::new();
        let own = |x: &&Exchange| x.subject.tool() == Some(&tool.name);
        for x in calls.iter().copied().filter(own) {
            by_subject.entry(&x.subject).or_default().push(x);
        }
        let found: Vec<Finding> =
            by_subject.values().filter_map(|calls| self.found(evidence, calls)).collect();
        if found.is_empty() { self.without_hole(evidence, tool, &by_subject) } else { found }
    }

    /// The hole in one parameter, shown by the shortest of the calls that prove it best; else what is suspected.
    fn found(&self, evidence: &Evidence, calls: &[&Exchange]) -> Option<Finding> {
        let proven = calls.iter().filter_map(|x| {
            let proof = x.oracle.as_ref()?.proof(evidence, x)?;
            let length = x.arguments().map_or(0, |a| a.to_string().len());
            let rank = (proof.rank(), length);
            // What looked like a hole may turn out to be none.
            let hole = (self.hole)(evidence, x, proof).seen_in(x.id);
            (hole.outcome() == Outcome::Fail).then_some((rank, hole))
        });
        // What is openly offered proves nothing: another call may have shown more than that.
        match proven.min_by_key(|(rank, hole)| (hole.proof.is_none(), *rank)) {
            Some((_, hole)) => Some(hole),
            None => calls
                .iter()
                .find_map(|x| Some((self.suspicion)(evidence, x)?.suspected().seen_in(x.id))),
        }
    }

    fn without_hole(
        &self,
        evidence: &Evidence,
        tool: &Tool,
        by_subject: &BTreeMap<&Subject, Vec<&Exchange>>,
    ) -> Vec<Finding> {
        let delivered = |x: &&&Exchange| self.is_delivered(evidence, x);
        let mut told = Vec::new();
        let mut missed = Vec::new();
        let mut first = None;
        for (subject, calls) in by_subject {
            match calls.iter().find(delivered) {
                Some(x) => {
                    first = first.or(Some(x));
                    told.push(self.tally(evidence, subject, calls));
                }
                None => missed.push(Finding::unseen((*subject).clone(), self.why(evidence, calls))),
            }
        }
        match first {
            Some(x) => {
                let says = format!("{}; delivered: {}", self.clean, told.join(", "));
                let pass = Finding::pass(Subject::tool_named(&tool.name), says).seen_in(x.id);
                std::iter::once(pass).chain(missed).collect()
            }
            None => self.unexercised(evidence, tool, missed).into_iter().collect(),
        }
    }

    /// How much was delivered to one place. How often a timing was taken is the clock's doing, so
    /// it does not count.
    fn tally(&self, evidence: &Evidence, subject: &Subject, calls: &[&Exchange]) -> String {
        let counted: Vec<&&Exchange> = calls.iter().filter(|x| !x.is_timed()).collect();
        let count = counted.iter().filter(|x| self.is_delivered(evidence, x)).count();
        let place = subject.pointer().unwrap_or_default();
        match counted.len() {
            0 => place.to_owned(),
            all => format!("{place} {count} of {all}").trim_start().to_owned(),
        }
    }

    /// Nothing was delivered to the tool: one finding says why.
    fn unexercised(
        &self,
        evidence: &Evidence,
        tool: &Tool,
        missed: Vec<Finding>,
    ) -> Option<Finding> {
        let subject = Subject::tool_named(&tool.name);
        if let Some(first) = missed.into_iter().next() {
            return Some(Finding { subject, ..first });
        }
        let own = evidence.of_tool(self.probe, &tool.name);
        let benign: Vec<&Exchange> =
            own.chain(evidence.of_tool(benign::PROBE.id, &tool.name)).collect();
        let through = |x: &&Exchange| (self.reached)(&Answer::of(evidence, x));
        // It took the harmless value and has nothing that is worth attacking.
        if benign.iter().any(through) {
            return None;
        }
        let why = self.why(evidence, &benign);
        benign.first().map(|x| Finding::unseen(subject, why).seen_in(x.id))
    }

    fn is_delivered(&self, evidence: &Evidence, x: &Exchange) -> bool {
        let reached = |t: &Exchange| (self.reached)(&Answer::of(evidence, t));
        x.reply.why_unseen().is_none() && twin(evidence, x).is_none_or(reached)
    }

    fn why(&self, evidence: &Evidence, calls: &[&Exchange]) -> String {
        if let Some(why) = calls.iter().find_map(|x| x.reply.why_unseen()) {
            return why;
        }
        let refused = calls.iter().find_map(|x| twin(evidence, x)).or(calls.first().copied());
        let text = refused.map(|x| quote(&x.reply.text())).unwrap_or_default();
        format!("not exercised: even a benign call was refused: \"{text}\"")
    }
}
