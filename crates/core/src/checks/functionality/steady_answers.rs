//! The same call again gets the same kind of answer in about the same time.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::Risk;
use crate::probes::{repeat, valid_call};
use crate::response::{Answer, Trouble, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/steady-answers",
    title: "Repeated calls are answered alike",
    facet: Facet::Stability,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &repeat::PROBE],
    page: include_str!("steady_answers.md"),
    judge,
};

/// A busy machine alone makes this much difference.
const NOISE_MS: f64 = 200.0;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence
            .tools()
            .filter(|t| evidence.risk_of(&t.name) == Risk::Reads)
            .map(|tool| verdict(evidence, tool))
            .collect(),
    }
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<&Exchange> = evidence.of_tool(repeat::PROBE.id, &tool.name).collect();
    let Some(first) = calls.first() else {
        return Finding::unseen(subject, "not repeated: the typical call did not succeed");
    };
    let (mut times, mut failures) = (Vec::new(), Vec::new());
    for x in &calls {
        match Answer::of(evidence, x) {
            Answer::Accepted => times.push(x.took.millis()),
            Answer::Unseen(_) => {}
            Answer::ToolError(text) | Answer::Refused { message: text, .. } => {
                failures.push((*x, format!("\"{}\"", quote(&text))));
            }
            Answer::Malformed(why) => failures.push((*x, format!("a broken message ({why})"))),
            Answer::Crashed => failures.push((*x, "the server died".to_owned())),
            Answer::Hung => failures.push((*x, "no answer in the time allowed".to_owned())),
        }
    }
    let seen = times.len() + failures.len();
    let gone = |(x, _): &(&Exchange, String)| Trouble::of(&x.reply.text()) == Trouble::NotFound;
    if !failures.is_empty() && failures.iter().all(gone) && destroyed(evidence) {
        let why = "not repeated: what it was asked for was deleted meanwhile";
        return Finding::unseen(subject, why).seen_in(first.id);
    }
    if let Some((x, why)) = failures.first() {
        let grade = Grade::new(times.len() as f64 / seen as f64 * 0.5);
        let says =
            format!("{} of {seen} repetitions of a call that worked fail: {why}", failures.len());
        let fix = "find what the calls share: a leak, a lock, a limit, state left behind";
        return Finding::partial(subject, grade, says, fix).seen_in(x.id);
    }
    if seen < 3 {
        let why = first.reply.why_unseen().unwrap_or_else(|| "too few repetitions".to_owned());
        return Finding::unseen(subject, why).seen_in(first.id);
    }
    steadiness(subject, &mut times).seen_in(first.id)
}

/// Whether a destroying tool has done its work, perhaps on what another tool is asked for.
fn destroyed(evidence: &Evidence) -> bool {
    evidence.transcript.iter().any(|x| {
        let tool = x.subject.tool();
        valid_call::took(x) && tool.is_some_and(|t| evidence.risk_of(t) == Risk::Destroys)
    })
}

/// Coarse steps, so that two runs of the same server agree.
fn steadiness(subject: Subject, times: &mut [f64]) -> Finding {
    times.sort_by(f64::total_cmp);
    // One slow answer among several is the machine's; the first may have had to warm up.
    let most = times.len() - 2;
    let spread = times[most] - times[0];
    let ratio = spread / times[times.len() / 2].max(1.0);
    let (grade, says) = match () {
        () if spread <= NOISE_MS || ratio <= 1.0 => (1.0, "answers take about the same time"),
        () if ratio <= 3.0 => (0.75, "answers take up to a few times the usual time"),
        () => (0.25, "answers take many times the usual time now and then"),
    };
    let finding = if grade == 1.0 {
        Finding::pass(subject, says)
    } else {
        let fix = "find what is slow only sometimes: a cold cache, a new connection, a lock";
        Finding::partial(subject, Grade::new(grade), says, fix)
    };
    finding.measured(stability(times), "stability")
}

/// One less the coefficient of variation; 1 is perfectly steady, 0 varies by as much as it takes.
fn stability(times: &[f64]) -> f64 {
    let n = times.len() as f64;
    let mean = times.iter().sum::<f64>() / n;
    let variance = times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / n;
    if mean > 0.0 { (1.0 - variance.sqrt() / mean).max(0.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stability_is_one_less_the_coefficient_of_variation() {
        assert_eq!(stability(&[8.0, 8.0, 8.0]), 1.0);
        assert_eq!(stability(&[0.0, 0.0, 0.0]), 1.0);
        // Mean 100, standard deviation 8: the very consistent server of the white paper.
        assert!((stability(&[92.0, 108.0, 92.0, 108.0]) - 0.92).abs() < 1e-9);
        assert_eq!(stability(&[0.1, 0.1, 0.1, 900.0]), 0.0);
    }

    #[test]
    fn the_measure_is_fine_while_the_grade_is_coarse() {
        let finding = steadiness(Subject::Server, &mut [92.0, 108.0, 92.0, 108.0]);
        assert_eq!(finding.grade, Some(Grade::PASS));
        let measure = finding.measure.unwrap();
        assert_eq!(((measure.value * 100.0).round(), measure.unit), (92.0, "stability"));
    }
}
