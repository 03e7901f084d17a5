//! From evidence and findings to the report.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::thread;

use super::{
    AccuracyReport, BudgetSummary, ConditionsSummary, EvaluationReport, EvaluationTimings, Report,
    RubricName, SCHEMA, ScoreSummary, ServerSummary, Timings, code, evaluation, findings, modules,
    recommend, requirements, responses, reuse, tools,
};
use crate::capabilities::{Capable, Leg, capabilities};
use crate::check::{self, Finding, Judged};
use crate::evidence::{Effect, Evidence, Exchange, Reply, Startup, steady};
use crate::probe::Connection;
use crate::proof::payload;
use crate::response::Record;
use crate::rubric::{self, Rubric, Scored};
use crate::sieve::Sieve;
use crate::{checks, sdk};

impl Report {
    /// Judges the evidence by every check and weighs it by this rubric and the built-in ones.
    pub fn of(evidence: &Evidence, rubric: &Rubric) -> Report {
        Report::sifted(evidence, rubric, &Sieve::default())
    }

    /// The same, after what the user has settled about findings.
    pub fn sifted(evidence: &Evidence, rubric: &Rubric, sieve: &Sieve) -> Report {
        // The fingerprint reads every byte of the evidence; meanwhile the checks can judge it.
        let (judged, read, evaluation) = thread::scope(|scope| {
            let read = scope.spawn(|| Read::of(evidence));
            let evaluation = scope.spawn(|| evaluation::evaluation(evidence));
            let judged = check::judge(evidence, &checks::all());
            let read = read.join().unwrap_or_else(|panic| resume_unwind(panic));
            (judged, read, evaluation.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let others: Vec<Rubric> = Rubric::BUILTIN
            .into_iter()
            .filter(|id| *id != rubric.id)
            .filter_map(|id| Rubric::builtin(id).ok())
            .collect();
        assemble(evidence, &judged, rubric, &others, sieve, read).evaluated(evaluation)
    }

    /// The report by `rubric`; of `others` only the scores are told.
    pub fn build(
        evidence: &Evidence,
        judged: &[Judged],
        rubric: &Rubric,
        others: &[Rubric],
    ) -> Report {
        assemble(evidence, judged, rubric, others, &Sieve::default(), Read::of(evidence))
            .evaluated(evaluation::evaluation(evidence))
    }

    fn evaluated(mut self, told: Option<(EvaluationReport, EvaluationTimings)>) -> Report {
        (self.evaluation, self.timings.evaluation) = told.unzip();
        self
    }
}

/// What all of the evidence has to be read for, whatever the checks say.
struct Read<'a> {
    digest: String,
    capabilities: BTreeMap<Leg, Vec<Capable>>,
    responses: BTreeMap<&'a str, Record>,
}

impl Read<'_> {
    fn of(evidence: &Evidence) -> Read<'_> {
        Read {
            digest: evidence.digest(),
            capabilities: capabilities(evidence),
            responses: Record::all(evidence),
        }
    }
}

fn assemble(
    evidence: &Evidence,
    judged: &[Judged],
    rubric: &Rubric,
    others: &[Rubric],
    sieve: &Sieve,
    read: Read<'_>,
) -> Report {
    let audit = evidence.conditions.audit;
    let sifting = sieve.begin();
    let named = findings::named(judged, &sifting);
    let counted = findings::counted(judged, &named);
    let sieve =
        sifting.report(named.iter().map(|n| (n.id.as_str(), n.finding.outcome(), &n.settled)));
    let mut marks = rubric::marks(&counted);
    let scored = rubric.score(&marks, audit);
    let mut scores: BTreeMap<String, ScoreSummary> =
        others.iter().map(|r| (r.id.clone(), summary(&r.score(&marks, audit)))).collect();
    scores.insert(rubric.id.clone(), summary(&scored));
    let server = server(evidence);
    let mut requirements = requirements::requirements(evidence, judged);
    requirements::trace(&mut requirements, server.sdk.as_ref(), evidence.conditions.transport);
    let fix = |finding: &Finding| requirements::fix(finding, &requirements);
    let recommendations =
        recommend::recommendations(&counted, rubric, &mut marks, audit, scored.exact, &fix);
    let (changes, timed_changes) = changes(evidence);
    Report {
        schema: SCHEMA,
        proofmark: crate::VERSION.to_owned(),
        rubric: name(rubric),
        target: evidence.target.clone(),
        server,
        conditions: conditions(evidence),
        startup: evidence.startup.clone(),
        score: scored.score,
        bounds: scored.bounds,
        level: scored.level,
        held_back: scored.held_back,
        coverage: scored.coverage,
        confidence: responses::looked(evidence, &read.responses).confidence(),
        scores,
        areas: scored.areas,
        evaluation: None,
        modules: modules::modules(evidence, &counted),
        tools: tools::tools(evidence, judged, &read.responses),
        findings: findings::findings(evidence, named, &fix),
        accuracy: AccuracyReport::behind(judged),
        capabilities: read.capabilities,
        changes,
        requirements,
        recommendations,
        suggestions: Vec::new(),
        sieve,
        gates: Vec::new(),
        reuse: reuse::reuse(evidence),
        evidence_digest: read.digest,
        dependencies: evidence.source.as_ref().and_then(|s| s.dependencies.clone()),
        timings: timings(evidence, timed_changes),
    }
}

/// In order of their paths, each once; what calls left that were only made for their timing apart,
/// since which of those are made is the clock's doing.
fn changes(evidence: &Evidence) -> (Vec<Effect>, Vec<Effect>) {
    let timed: BTreeSet<String> =
        evidence.transcript.iter().filter(|x| x.is_timed()).map(payload).collect();
    let names = |e: &Effect| timed.iter().any(|t| t.len() >= NAMED && e.path().contains(t));
    let (timed, others): (Vec<_>, Vec<_>) = evidence.effects.iter().partition(|e| names(e));
    (in_order(others), in_order(timed))
}

/// A shorter text may stand in any path.
const NAMED: usize = 8;

fn in_order(effects: Vec<&Effect>) -> Vec<Effect> {
    let mut all: Vec<Effect> = effects.into_iter().map(|e| e.at(lasting(e.path()))).collect();
    all.sort_by(|a, b| a.path().cmp(b.path()));
    all.dedup();
    all
}

/// The path without names that are drawn anew in every run: a digest, which may be split after two
/// digits, an identifier, a time.
fn lasting(path: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let shown = |part: &str| match part.len() == 2 && part.chars().all(is_digit) {
        true => "~".to_owned(),
        false => steady(part),
    };
    path.split('/').map(shown).collect::<Vec<_>>().join("/")
}

fn name(rubric: &Rubric) -> RubricName {
    RubricName {
        id: rubric.id.clone(),
        version: rubric.version.clone(),
        title: rubric.title.clone(),
    }
}

fn summary(scored: &Scored) -> ScoreSummary {
    ScoreSummary {
        score: scored.score,
        level: scored.level.clone(),
        bounds: scored.bounds,
        coverage: scored.coverage,
        areas: scored.areas.clone(),
    }
}

fn server(evidence: &Evidence) -> ServerSummary {
    let said = evidence.handshake.as_ref().map(|h| &h.server);
    ServerSummary {
        name: said.and_then(|s| s.name.clone()),
        version: said.and_then(|s| s.version.clone()),
        sdk: sdk::fingerprint(evidence),
        distribution: code::distribution(evidence),
        code: code::summary(evidence),
        tools: evidence.inventory.tools.len(),
        resources: evidence.inventory.resources.len(),
        templates: evidence.inventory.templates.len(),
        prompts: evidence.inventory.prompts.len(),
    }
}

fn conditions(evidence: &Evidence) -> ConditionsSummary {
    let c = &evidence.conditions;
    let counted = || evidence.transcript.iter().filter(|x| !x.is_timed());
    let planned = counted().count();
    let skipped = counted().filter(|x| matches!(*x.reply, Reply::Skipped { .. })).count();
    ConditionsSummary {
        isolation: c.isolation.clone(),
        revision: evidence.revision().map(|r| r.to_string()),
        transport: c.transport,
        audit: c.audit,
        seed: c.seed,
        profile: c.profile,
        passive: c.policy.passive,
        disposable: c.policy.disposable,
        scope: c.scope.clone(),
        budget: BudgetSummary {
            max_calls: c.max_calls,
            planned: planned as u64,
            made: (planned - skipped) as u64,
            skipped: skipped as u64,
            restarts: c.usage.restarts,
        },
    }
}

fn timings(evidence: &Evidence, changes: Vec<Effect>) -> Timings {
    let usage = &evidence.conditions.usage;
    let startup_ms = match &evidence.startup {
        Startup::Up { took } => Some(took.millis()),
        Startup::NotTried | Startup::Down { .. } => None,
    };
    let timed_calls = evidence.transcript.iter().filter(|x| x.is_timed()).count();
    Timings {
        began: usage.began,
        wall_ms: usage.wall.millis(),
        startup_ms,
        timed_calls,
        changes,
        evaluation: None,
        calls_per_second: calls_per_second(evidence),
    }
}

/// Answers over the time in which at least one call was under way: what runs beside each other
/// counts, and what the run spent between calls does not.
fn calls_per_second(evidence: &Evidence) -> Option<f64> {
    let reused = evidence.reuse.as_ref().map(|r| r.exchanges.as_slice()).unwrap_or_default();
    let made = |x: &&Exchange| tools::is_benign_answer(x) && !reused.contains(&x.id);
    let main = evidence.transcript.iter().filter(|x| x.on == Connection::Main);
    let mut spans: Vec<(u64, u64)> =
        main.filter(made).map(|x| (x.started.0, x.started.0 + x.took.0)).collect();
    spans.sort_unstable();
    let (mut busy, mut until) = (0, 0);
    for (start, end) in &spans {
        busy += end.saturating_sub(*start.max(&until));
        until = until.max(*end);
    }
    let rate = spans.len() as f64 / (busy as f64 / 1e6);
    (busy > 0).then_some((rate * 10.0).round() / 10.0)
}
