//! What became of each tool: its verdict, and how fast it answered.

use std::collections::BTreeMap;

use super::{Latency, ToolReport, ToolVerdict, responses};
use crate::check::{Facet, Finding, Grade, Judged, Outcome, Standing};
use crate::evidence::{Evidence, Exchange, Micros, Reply};
use crate::response;

/// What was found out about one tool.
#[derive(Default)]
struct Record<'a> {
    success: Vec<&'a Finding>,
    validity: Vec<&'a Finding>,
    calls: usize,
    took: Vec<Micros>,
}

/// One entry for each tool in scope, in the order of the listing.
pub(super) fn tools(
    evidence: &Evidence,
    judged: &[Judged],
    responses: &BTreeMap<&str, response::Record>,
) -> Vec<ToolReport> {
    let records = records(evidence, judged);
    let (unknown, silent) = (Record::default(), response::Record::default());
    evidence
        .tools()
        .map(|tool| {
            let record = records.get(tool.name.as_str()).unwrap_or(&unknown);
            let answers = responses.get(tool.name.as_str()).unwrap_or(&silent);
            let (verdict, why) = verdict(evidence, record);
            ToolReport {
                name: tool.name.clone(),
                verdict,
                why,
                calls: record.calls,
                latency_ms: latency(record.took.clone()),
                tokens: tool.tokens,
                classification: responses::classification(answers, verdict),
                metadata: responses::metadata(answers),
                scenarios: responses::scenarios(answers),
            }
        })
        .collect()
}

fn records<'a>(evidence: &'a Evidence, judged: &'a [Judged]) -> BTreeMap<&'a str, Record<'a>> {
    let mut records: BTreeMap<&str, Record<'_>> = BTreeMap::new();
    for j in judged {
        let facet = j.check.facet;
        if !matches!(facet, Facet::ToolSuccess | Facet::ResponseValidity) {
            continue;
        }
        for finding in j.findings.iter().filter(|f| f.standing() != Standing::Suspected) {
            let Some(tool) = finding.subject.tool() else { continue };
            let record = records.entry(tool).or_default();
            if facet == Facet::ToolSuccess {
                record.success.push(finding);
            } else {
                record.validity.push(finding);
            }
        }
    }
    for exchange in evidence.transcript.iter().filter(|x| was_made(x)) {
        let Some(tool) = exchange.subject.tool() else { continue };
        let record = records.entry(tool).or_default();
        record.calls += usize::from(!exchange.is_timed());
        if is_benign_answer(exchange) {
            record.took.push(exchange.took);
        }
    }
    records
}

fn verdict(evidence: &Evidence, record: &Record<'_>) -> (ToolVerdict, String) {
    let first = |of: &[&Finding], outcome: Outcome| {
        of.iter().find(|f| f.outcome() == outcome).map(|f| f.says.clone())
    };
    let seen: Vec<f64> = record.success.iter().filter_map(|f| f.grade).map(Grade::value).collect();
    if seen.is_empty() {
        let why = first(&record.success, Outcome::Unseen)
            .or_else(|| evidence.why_unseen())
            .unwrap_or_else(|| "no check looked at how it answers a valid call".to_owned());
        return (ToolVerdict::Unexercised, why);
    }
    let failure = first(&record.success, Outcome::Fail);
    if let Some(why) = failure {
        let broken = seen.iter().all(|grade| *grade <= 0.0);
        let verdict = if broken { ToolVerdict::Broken } else { ToolVerdict::PartiallyWorking };
        return (verdict, why);
    }
    match first(&record.validity, Outcome::Fail) {
        Some(why) => (ToolVerdict::PartiallyWorking, why),
        None => (ToolVerdict::Working, first(&record.success, Outcome::Pass).unwrap_or_default()),
    }
}

fn was_made(exchange: &Exchange) -> bool {
    !matches!(*exchange.reply, Reply::Skipped { .. })
}

/// Hostile calls travel with a control and an oracle; their times say nothing about normal use.
pub fn is_benign_answer(exchange: &Exchange) -> bool {
    let answered = match *exchange.reply {
        Reply::Result { .. } | Reply::Error { .. } => true,
        Reply::Malformed { .. }
        | Reply::Silence
        | Reply::TimedOut { .. }
        | Reply::Disconnected
        | Reply::Skipped { .. } => false,
    };
    answered
        && exchange.control.is_none()
        && exchange.oracle.is_none()
        && exchange.send.method() == Some("tools/call")
}

/// By nearest rank: every figure is one that was measured.
fn latency(mut took: Vec<Micros>) -> Option<Latency> {
    took.sort_unstable();
    let rank = |percent: usize| {
        let place = (took.len() * percent).div_ceil(100).max(1) - 1;
        took.get(place).map(|t| t.millis())
    };
    Some(Latency { p50: rank(50)?, p95: rank(95)?, max: rank(100)? })
}
