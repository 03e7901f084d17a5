//! Rules: how a check judges a requirement, and what the verdicts come to.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Conversation, Door, Judgement, Level, Requirement, requirement, sides};
use crate::check::{Check, Confidence, Finding, Grade, Judged, Outcome, Standing};
use crate::evidence::{Evidence, ExchangeId, Subject};
use crate::probe::Connection;
use crate::probes::revisions;
use crate::revision::Revision;

/// Judges a requirement in one revision.
pub type Judge = fn(&Conversation<'_>, &Requirement) -> Judgement;

/// How a check serves one requirement.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    pub requirement: &'static str,
    /// Judges one revision. `None`: the check's own findings decide, for the revision of the main
    /// connection.
    pub judge: Option<Judge>,
    /// Where it is judged besides sessions.
    pub door: Door,
}

/// The check judges the requirement in every revision the server speaks.
pub const fn rule(requirement: &'static str, judge: Judge) -> Rule {
    Rule { requirement, judge: Some(judge), door: Door::Open }
}

/// The same, and also where no session came about for want of a credential.
pub const fn door(requirement: &'static str, judge: Judge) -> Rule {
    Rule { requirement, judge: Some(judge), door: Door::Locked }
}

/// The same, and also where no session came about although messages came over HTTP.
pub const fn jammed(requirement: &'static str, judge: Judge) -> Rule {
    Rule { requirement, judge: Some(judge), door: Door::Jammed }
}

/// The findings of the check are the verdict.
pub const fn served(requirement: &'static str) -> Rule {
    Rule { requirement, judge: None, door: Door::Open }
}

/// What a rule came to in one revision.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    pub verdict: Verdict,
    /// Not quite as required, but tolerated.
    pub partial: bool,
    /// Meant to be seen, and was not: lowers coverage.
    pub unseen: bool,
    pub says: String,
    pub fix: Option<String>,
    pub seen_in: Vec<ExchangeId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Fail,
    Pass,
    /// Nothing to try it on, or it could not be seen.
    NotTestable,
    /// Another revision, another transport, a capability that is not declared.
    NotApplicable,
}

impl Ruling {
    pub fn pass(says: impl Into<String>) -> Ruling {
        Ruling::new(Verdict::Pass, says)
    }

    /// `fix` is what the author of the server should do.
    pub fn fail(says: impl Into<String>, fix: impl Into<String>) -> Ruling {
        Ruling { fix: Some(fix.into()), ..Ruling::new(Verdict::Fail, says) }
    }

    pub fn partial(says: impl Into<String>, fix: impl Into<String>) -> Ruling {
        Ruling { partial: true, fix: Some(fix.into()), ..Ruling::new(Verdict::Pass, says) }
    }

    /// There is nothing to try it on.
    pub fn not_testable(why: impl Into<String>) -> Ruling {
        Ruling::new(Verdict::NotTestable, why)
    }

    /// It should have been seen: not run, no answer.
    pub fn unseen(why: impl Into<String>) -> Ruling {
        Ruling { unseen: true, ..Ruling::new(Verdict::NotTestable, why) }
    }

    pub fn not_applicable(why: impl Into<String>) -> Ruling {
        Ruling::new(Verdict::NotApplicable, why)
    }

    pub fn seen_in(mut self, exchange: ExchangeId) -> Ruling {
        self.seen_in.push(exchange);
        self
    }

    pub fn is_fail(&self) -> bool {
        self.verdict == Verdict::Fail
    }

    /// The one that tells most: a failure, else what is tolerated, else a pass, else the rest.
    pub fn worst(rulings: impl IntoIterator<Item = Ruling>) -> Option<Ruling> {
        rulings.into_iter().min_by_key(|r| (r.verdict, !r.partial, !r.unseen))
    }

    fn new(verdict: Verdict, says: impl Into<String>) -> Ruling {
        Ruling {
            verdict,
            partial: false,
            unseen: false,
            says: says.into(),
            fix: None,
            seen_in: Vec::new(),
        }
    }
}

/// One requirement in one revision, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruled {
    pub requirement: &'static str,
    pub revision: Revision,
    pub level: Level,
    pub ruling: Ruling,
}

/// Judges the rules of a check in every conversation.
pub(crate) fn rulings(check: &Check, conversations: &[Conversation<'_>]) -> Vec<Ruled> {
    let mut ruled = Vec::new();
    for rule in check.requirements {
        let (Some(judge), Some(row)) = (rule.judge, requirement(rule.requirement)) else {
            continue;
        };
        let heard = |c: &&Conversation<'_>| c.door == Door::Open || c.door == rule.door;
        for talk in conversations.iter().filter(|c| row.covers(c.transport())).filter(heard) {
            let Some(level) = row.level(talk.revision) else { continue };
            let ruling = lenient(judge(talk, row).unwrap_or_else(|early| early), level);
            let ruling = if talk.door == Door::Locked { unsure(ruling, row) } else { ruling };
            ruled.push(Ruled {
                requirement: rule.requirement,
                revision: talk.revision,
                level,
                ruling,
            });
        }
    }
    ruled
}

/// What is written nowhere is recorded and never failed.
fn lenient(ruling: Ruling, level: Level) -> Ruling {
    match level {
        Level::Information if ruling.is_fail() => {
            Ruling { seen_in: ruling.seen_in, ..Ruling::pass(ruling.says) }
        }
        Level::Must | Level::JsonRpc | Level::Schema | Level::Should | Level::Information => ruling,
    }
}

/// Which revision a server speaks that turned us away is a guess, so only what all of them require
/// can be failed.
fn unsure(ruling: Ruling, row: &Requirement) -> Ruling {
    let always = Revision::ALL.into_iter().skip(1).all(|r| row.level(r).is_some());
    match (ruling.is_fail(), always) {
        (true, false) => Ruling { verdict: Verdict::Pass, partial: true, ..ruling },
        (true, true) | (false, _) => ruling,
    }
}

/// One finding per requirement: the worst of its revisions, and which those are.
pub(crate) fn findings(ruled: &[Ruled]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for of_one in ruled.chunk_by(|a, b| a.requirement == b.requirement) {
        let Some(worst) = Ruling::worst(of_one.iter().map(|r| r.ruling.clone())) else { continue };
        let alike =
            |r: &&Ruled| (r.ruling.verdict, r.ruling.partial) == (worst.verdict, worst.partial);
        let revisions: Vec<&str> =
            of_one.iter().filter(alike).map(|r| r.revision.as_str()).collect();
        let id = of_one.first().map_or("", |r| r.requirement);
        let says = format!("{id} ({}): {}", revisions.join(", "), worst.says);
        let finding = match worst.verdict {
            Verdict::Fail => Finding::fail(Subject::Server, says, worst.fix.unwrap_or_default()),
            Verdict::Pass if worst.partial => {
                let fix = worst.fix.unwrap_or_default();
                Finding::partial(Subject::Server, Grade::new(0.5), says, fix)
            }
            Verdict::Pass => Finding::pass(Subject::Server, says),
            Verdict::NotTestable if worst.unseen => Finding::unseen(Subject::Server, says),
            Verdict::NotTestable | Verdict::NotApplicable => continue,
        };
        findings.push(Finding { requirement: Some(id), seen_in: worst.seen_in, ..finding });
    }
    findings
}

/// Everything that was ruled, with what the findings of other checks say about a requirement.
pub fn table(judged: &[Judged], evidence: &Evidence) -> Vec<Ruled> {
    let transport = evidence.conditions.transport;
    let mut all: Vec<Ruled> = judged.iter().flat_map(|j| j.ruled.iter().cloned()).collect();
    let same = alike(evidence);
    for one in judged {
        let ruling = by_findings(&one.findings);
        // What is read off definitions holds wherever they are the same.
        let elsewhere = same.iter().copied().filter(|_| one.check.needs.is_empty());
        for revision in evidence.revision().into_iter().chain(elsewhere) {
            for rule in one.check.requirements.iter().filter(|r| r.judge.is_none()) {
                let row = requirement(rule.requirement).filter(|r| r.covers(transport));
                let Some(level) = row.and_then(|r| r.level(revision)) else { continue };
                let ruling = lenient(ruling.clone(), level);
                all.push(Ruled { requirement: rule.requirement, revision, level, ruling });
            }
        }
    }
    let place = |r: &Ruled| super::requirements().iter().position(|row| row.id == r.requirement);
    all.sort_by_cached_key(|r| (place(r), r.revision));
    all.chunk_by(|a, b| (a.requirement, a.revision) == (b.requirement, b.revision))
        .filter_map(|same| {
            let ruling = Ruling::worst(same.iter().map(|r| r.ruling.clone()))?;
            Some(Ruled { ruling, ..same.first()?.clone() })
        })
        .collect()
}

/// The revisions, besides that of the main connection, in which the same tools are offered.
fn alike(evidence: &Evidence) -> Vec<Revision> {
    let told = |tool: &Value| {
        let schema = tool.get("inputSchema").cloned();
        (tool.get("name").cloned(), tool.get("description").cloned(), schema)
    };
    let known: Vec<_> = evidence.inventory.tools.iter().map(|t| told(&t.raw)).collect();
    let same = |(revision, on): &(Revision, Connection)| {
        let mut lists = evidence.of(revisions::PROBE.id).filter(|x| x.on == *on);
        let listed = lists.find_map(|x| x.result()?.get("tools")?.as_array());
        Some(*revision) != evidence.revision()
            && listed.is_some_and(|tools| tools.iter().all(|t| known.contains(&told(t))))
    };
    sides::spoken(evidence).into_iter().filter(same).map(|(revision, _)| revision).collect()
}

fn by_findings(findings: &[Finding]) -> Ruling {
    let firm = |f: &&Finding| f.standing() != Standing::Suspected && f.requirement.is_none();
    let worst = findings.iter().filter(firm).min_by_key(|f| f.outcome());
    let Some(worst) = worst else {
        return Ruling::not_applicable("nothing of the kind to judge");
    };
    let ruling = match worst.outcome() {
        Outcome::Fail if worst.grade.is_some_and(|g| g > Grade::FAIL) => {
            Ruling::partial(worst.says.clone(), worst.fix.clone().unwrap_or_default())
        }
        Outcome::Fail if worst.confidence == Confidence::Low => Ruling::not_testable(&worst.says),
        Outcome::Fail => Ruling::fail(&worst.says, worst.fix.clone().unwrap_or_default()),
        Outcome::Unseen => Ruling::unseen(&worst.says),
        Outcome::Pass => Ruling::pass(&worst.says),
    };
    Ruling { seen_in: worst.seen_in.clone(), ..ruling }
}
