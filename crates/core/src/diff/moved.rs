//! Failures that came and went between two runs.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::snapshot::Found;
use super::{Grounds, Snapshot};
use crate::check::{Outcome, Severity, Topic};

#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Moves {
    /// Fails, and did not when it was looked at before.
    pub new: Vec<Moved>,
    /// Failed, and does not now that it was looked at again.
    pub fixed: Vec<Moved>,
    /// Fails, and was not looked at before in the same way: no change of the server.
    pub newly_seen: Vec<Moved>,
    /// Failed, and was not looked at again: not fixed.
    pub no_longer_seen: Vec<Moved>,
    /// Failed at something that is no more.
    pub gone: Vec<Moved>,
    /// How many fail in both.
    pub persisting: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Moved {
    pub id: String,
    pub check: String,
    pub severity: Severity,
    pub subject: String,
    pub says: String,
}

impl Moves {
    pub(super) fn between(before: &Snapshot, after: &Snapshot, grounds: Grounds) -> Moves {
        let (old, new) = (Seen::of(before), Seen::of(after));
        let mut moves = Moves::default();
        for found in after.findings.iter().filter(|f| f.is_counted()) {
            let known = old.by_id.get(found.id.as_str());
            match known {
                Some(k) if k.outcome == Outcome::Fail && k.is_counted() => moves.persisting += 1,
                _ if comparable(found, grounds) && old.looked_at(found) => {
                    moves.new.push(Moved::of(found));
                }
                Some(_) | None => moves.newly_seen.push(Moved::of(found)),
            }
        }
        for found in before.findings.iter().filter(|f| f.is_counted()) {
            match new.by_id.get(found.id.as_str()) {
                Some(k) if k.is_counted() => {}
                None if new.lost(found) => moves.gone.push(Moved::of(found)),
                Some(_) | None if comparable(found, grounds) && new.looked_at(found) => {
                    moves.fixed.push(Moved::of(found));
                }
                Some(_) | None => moves.no_longer_seen.push(Moved::of(found)),
            }
        }
        moves
    }
}

/// What one run looked at.
struct Seen<'a> {
    run: &'a Snapshot,
    by_id: BTreeMap<&'a str, &'a Found>,
    checks: BTreeSet<&'a str>,
    tools: BTreeSet<&'a str>,
}

impl<'a> Seen<'a> {
    fn of(run: &'a Snapshot) -> Seen<'a> {
        let seen = run.findings.iter().filter(|f| f.outcome != Outcome::Unseen);
        Seen {
            run,
            by_id: run.findings.iter().map(|f| (f.id.as_str(), f)).collect(),
            checks: seen.map(|f| f.check.as_str()).collect(),
            tools: run.tools.iter().map(|t| t.name.as_str()).collect(),
        }
    }

    /// Whether this run would have told of the failure, had it been there.
    fn looked_at(&self, found: &Found) -> bool {
        match self.by_id.get(found.id.as_str()) {
            Some(known) => known.outcome == Outcome::Pass,
            None => {
                let scope = &self.run.conditions.scope;
                let tool = found.subject.tool().is_none_or(|t| scope.includes_tool(t));
                tool && self.checks.contains(found.check.as_str())
            }
        }
    }

    /// The tool it was about is no more.
    fn lost(&self, found: &Found) -> bool {
        let scope = &self.run.conditions.scope;
        found.subject.tool().is_some_and(|t| {
            scope.includes_tool(t) && !self.tools.is_empty() && !self.tools.contains(t)
        })
    }
}

fn comparable(found: &Found, grounds: Grounds) -> bool {
    let by_revision = match found.topic {
        Topic::Protocol | Topic::Errors => true,
        Topic::Functionality
        | Topic::Security
        | Topic::Documentation
        | Topic::Usability
        | Topic::Performance
        | Topic::SupplyChain
        | Topic::Policy => false,
    };
    grounds.look && (grounds.revision || !by_revision)
}

impl Moved {
    fn of(found: &Found) -> Moved {
        Moved {
            id: found.id.clone(),
            check: found.check.clone(),
            severity: found.severity,
            subject: found.subject.to_string(),
            says: found.says.clone(),
        }
    }
}
