//! Tools answer within a time that people and agents are willing to wait.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Reply, Subject, Tool};
use crate::probes::{repeat, valid_call};

pub(super) const CHECK: Check = Check {
    id: "performance/latency",
    title: "Tools answer within a second",
    facet: Facet::Latency,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &repeat::PROBE],
    page: include_str!("latency.md"),
    judge,
};

/// Wide apart, so that two runs of the same server land on the same step.
const STEPS: &[(f64, f64, &str)] = &[
    (1_000.0, 1.0, "answers within a second"),
    (3_000.0, 0.75, "takes more than a second"),
    (10_000.0, 0.4, "takes more than 3 seconds"),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.tools().map(|tool| verdict(evidence, tool)).collect(),
    }
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    const FIX: &str = "answer from a cache, do the slow part in the background, or send progress notifications so that the caller knows it is worth waiting";
    let subject = Subject::tool_named(&tool.name);
    let probes = [valid_call::PROBE.id, repeat::PROBE.id];
    let calls: Vec<&Exchange> =
        probes.iter().flat_map(|probe| evidence.of_tool(probe, &tool.name)).collect();
    let timed: Vec<&&Exchange> = calls.iter().filter(|x| x.result().is_some()).collect();
    let mut times: Vec<f64> = timed.iter().map(|x| x.took.millis()).collect();
    let hung = calls.iter().find(|x| matches!(*x.reply, Reply::TimedOut { .. }));
    if let Some(x) = hung {
        let says = "a valid call got no answer in the time allowed";
        return Finding::fail(subject, says, FIX).seen_in(x.id);
    }
    times.sort_by(f64::total_cmp);
    let Some(p95) = percentile_95(&times) else {
        let why = calls.first().and_then(|x| x.reply.why_unseen());
        return Finding::unseen(subject, why.unwrap_or_else(|| "no call gave a result".to_owned()));
    };
    let step = STEPS.iter().find(|(most, _, _)| p95 <= *most);
    let mut finding = match step {
        Some((_, 1.0, says)) => Finding::pass(subject, *says),
        Some((_, grade, says)) => Finding::partial(subject, Grade::new(*grade), *says, FIX),
        None => Finding::fail(subject, "takes more than 10 seconds", FIX),
    };
    // All of them: which one was slowest is the clock's doing and differs from run to run.
    finding.seen_in = timed.iter().map(|x| x.id).collect();
    finding.measured(p95, "ms")
}

/// By the nearest rank, of sorted times.
fn percentile_95(times: &[f64]) -> Option<f64> {
    let rank = (times.len() * 95).div_ceil(100);
    times.get(rank.checked_sub(1)?).copied()
}
