//! Answers of an earlier run that may stand for calls of this one.
//!
//! A call is known by what it is: the definition of its tool, the probe, what is sent and what would
//! be proof. A probe that plans something else than before therefore asks anew, without a version
//! that somebody would have to raise. Checks are no part of it: they judge anew in every run.

use std::collections::{BTreeMap, BTreeSet};

use crate::attack::path::NEIGHBOUR;
use crate::evidence::{Canary, Conditions, Evidence, Exchange, Reply, Reuse, Subject};
use crate::probe::{Connection, Lane, Probe, Risk};
use crate::probes::{aftermath, round_trip, valid_call};
use crate::proof::Oracle;

/// Asked anew in every run: the valid calls show that a tool still works and feed other calls, a
/// round trip reads what it has written, and the aftermath is about this very process.
const ANEW: [&str; 3] = [valid_call::PROBE.id, round_trip::PROBE.id, aftermath::PROBE.id];

/// An earlier run, held against the one under way.
#[derive(Debug)]
pub struct Earlier<'a> {
    evidence: &'a Evidence,
    places: BTreeMap<Key<'a>, &'a Exchange>,
    unlike: Option<String>,
    attacks: bool,
    changed: BTreeSet<String>,
}

type Key<'a> = (&'a str, &'a Subject, &'a str);

fn key(x: &Exchange) -> Key<'_> {
    (&x.probe, &x.subject, &x.label)
}

/// Whether calls of this probe may ever be taken over. What runs alone is about timing, effects or
/// the process; what runs on a side is about how a connection begins and ends.
pub fn is_repeatable(probe: &Probe) -> bool {
    probe.lane == Lane::Shared && !ANEW.contains(&probe.id)
}

impl<'a> Earlier<'a> {
    /// `now` has its inventory, and the fingerprint of its program.
    pub fn new(earlier: &'a Evidence, now: &Evidence) -> Earlier<'a> {
        let program = |e: &Evidence| e.reuse.as_ref().and_then(|r| r.program.clone());
        let changed = now
            .tools()
            .filter(|tool| earlier.tool(&tool.name).is_none_or(|before| before.raw != tool.raw));
        Earlier {
            evidence: earlier,
            places: earlier.transcript.iter().map(|x| (key(x), x)).collect(),
            unlike: unlike(earlier, now),
            attacks: program(now).is_some() && program(now) == program(earlier),
            changed: changed.map(|tool| tool.name.clone()).collect(),
        }
    }

    /// What is known of it before the first call.
    pub fn begin(&self, program: Option<String>) -> Reuse {
        let of_earlier = self.evidence.reuse.as_ref().and_then(|r| r.since);
        Reuse {
            program,
            since: Some(of_earlier.unwrap_or(self.evidence.conditions.usage.began)),
            exchanges: Vec::new(),
            unlike: self.unlike.clone(),
            attacks: self.attacks,
            changed: self.changed.clone(),
            differs: BTreeSet::new(),
        }
    }

    /// The earlier exchange whose answer stands for this planned call.
    pub fn answer(
        &self,
        now: &Evidence,
        planned: &Exchange,
        hostile: bool,
    ) -> Option<&'a Exchange> {
        let tool = planned.subject.tool()?;
        let steady = now.risk_of(tool) == Risk::Reads
            && now.tool(tool).is_some()
            && !self.changed.contains(tool)
            && !self.differs(now, tool);
        if self.unlike.is_some() || !steady || (hostile && !self.attacks) {
            return None;
        }
        let known = *self.places.get(&key(planned))?;
        let same = known.send == planned.send
            && known.oracle == planned.oracle
            && known.control == planned.control
            && (known.on, planned.on) == (Connection::Main, Connection::Main);
        (same && self.is_whole(known)).then_some(known)
    }

    /// Whether a valid call of this tool came to something else than before: an error where there
    /// was a result, or the other way round.
    pub fn differs(&self, now: &Evidence, tool: &str) -> bool {
        let answered = |x: &Exchange| !matches!(*x.reply, Reply::Skipped { .. });
        now.of_tool(valid_call::PROBE.id, tool).filter(|x| answered(x)).any(|x| {
            let before = self.places.get(&key(x)).filter(|known| known.send == x.send);
            before.is_some_and(|known| known.reply.kind() != x.reply.kind())
        })
    }

    /// Whether the answer is all that came of a call: nothing odd on the wire, no message of the
    /// server's own, no request to our pages, and no proof that shows anywhere else.
    fn is_whole(&self, x: &Exchange) -> bool {
        let during = x.started.0..=x.started.0.saturating_add(x.took.0);
        matches!(*x.reply, Reply::Result { .. } | Reply::Error { .. })
            && x.oracle.as_ref().is_none_or(shows_in_the_answer)
            && !self.evidence.anomalies.iter().any(|a| a.exchange == Some(x.id))
            && !self.evidence.incoming.iter().any(|i| during.contains(&i.at.0))
            && !self.evidence.visits.iter().any(|v| during.contains(&v.at.0))
            && self.evidence.trace(x.id).is_none()
    }
}

fn shows_in_the_answer(oracle: &Oracle) -> bool {
    match oracle {
        Oracle::Computed { .. }
        | Oracle::Planted { .. }
        | Oracle::Member { .. }
        | Oracle::Listed { .. }
        | Oracle::Differential { .. } => true,
        Oracle::Callback { .. }
        | Oracle::Visit {}
        | Oracle::Header { .. }
        | Oracle::Effect { .. }
        | Oracle::Above { .. }
        | Oracle::Timing { .. } => false,
        Oracle::Any { of } => of.iter().all(shows_in_the_answer),
    }
}

/// What keeps the two runs from being of one server under one set of conditions.
fn unlike(earlier: &Evidence, now: &Evidence) -> Option<String> {
    let (a, b) = (&earlier.conditions, &now.conditions);
    let server = |e: &Evidence| e.handshake.as_ref().map(|h| h.server.clone());
    let same = [
        ("the version of proofmark", earlier.proofmark == now.proofmark),
        ("the target", earlier.target == now.target),
        ("the name or version of the server", server(earlier) == server(now)),
        ("the protocol revision", earlier.revision() == now.revision()),
        ("the seed", a.seed == b.seed),
        ("the profile", a.profile == b.profile),
        ("what the run may do", a.policy == b.policy),
        ("the isolation", a.isolation.level == b.isolation.level),
        ("what we declare as a client", a.client == b.client),
        ("what was planted", planted(a) == planted(b) && a.content == b.content),
        ("the values given for parameters", a.fixtures == b.fixtures),
    ];
    let what: Vec<&str> =
        same.into_iter().filter(|(_, same)| !same).map(|(what, _)| what).collect();
    (!what.is_empty()).then(|| format!("not as it was: {}", what.join(", ")))
}

/// What was planted before the server was started; the rest comes later.
fn planted(conditions: &Conditions) -> Vec<&Canary> {
    conditions.canaries.iter().filter(|c| !c.id.starts_with(NEIGHBOUR)).collect()
}

#[cfg(test)]
mod tests;
