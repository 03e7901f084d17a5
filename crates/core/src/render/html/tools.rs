//! Tools as the page's script reads them: verdict, scenarios, times, schemas, cost in tokens.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::texts::Pool;
use crate::evidence::{Evidence, Exchange, Tool};
use crate::report::{
    ClassificationReport, Latency, MetadataReport, Report, ScenarioCounts, ToolReport, ToolVerdict,
    is_benign_answer,
};
use crate::response::Category;

/// More could not be told apart in a sparkline.
const MOST_TIMES: usize = 120;

#[derive(Debug, Serialize)]
pub(super) struct ToolRow<'a> {
    name: usize,
    verdict: ToolVerdict,
    why: usize,
    calls: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    latency: Option<Latency>,
    /// Milliseconds of ordinary answers, in plan order.
    times: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<ClassificationReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a MetadataReport>,
    scenarios: &'a BTreeMap<Category, ScenarioCounts>,
    tokens: Tokens,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<usize>,
}

/// What a model pays, where it was counted: for knowing the tool, and for reading an answer.
#[derive(Debug, Default, Serialize)]
struct Tokens {
    definition: Option<u32>,
    /// The median of ordinary answers.
    answer: Option<u32>,
}

pub(super) fn rows<'a>(
    report: &'a Report,
    evidence: &Evidence,
    pool: &mut Pool,
) -> Vec<ToolRow<'a>> {
    let mut answers: BTreeMap<&str, Vec<&Exchange>> = BTreeMap::new();
    for x in evidence.transcript.iter().filter(|x| is_benign_answer(x)) {
        if let Some(tool) = x.subject.tool() {
            answers.entry(tool).or_default().push(x);
        }
    }
    let none = Vec::new();
    let row = |tool: &'a ToolReport| {
        let answers = answers.get(tool.name.as_str()).unwrap_or(&none);
        let answer = median(answers.iter().filter_map(|x| evidence.answer_tokens.get(&x.id)));
        let tokens = Tokens { definition: tool.tokens, answer };
        row(tool, evidence.tool(&tool.name), answers, tokens, pool)
    };
    report.tools.iter().map(row).collect()
}

fn row<'a>(
    report: &'a ToolReport,
    tool: Option<&Tool>,
    answers: &[&Exchange],
    tokens: Tokens,
    pool: &mut Pool,
) -> ToolRow<'a> {
    let mut json = |value: Option<&Value>| value.map(|v| pool.add(&v.to_string()));
    let input = json(tool.map(|t| &t.input_schema));
    let output = json(tool.and_then(|t| t.output_schema.as_ref()));
    let annotations = json(tool.and_then(|t| t.annotations.as_ref()));
    ToolRow {
        name: pool.add(&report.name),
        verdict: report.verdict,
        why: pool.add(&report.why),
        calls: report.calls,
        latency: report.latency_ms,
        times: answers.iter().take(MOST_TIMES).map(|x| x.took.millis()).collect(),
        classification: report.classification,
        metadata: report.metadata.as_ref(),
        scenarios: &report.scenarios,
        tokens,
        title: tool.and_then(|t| t.title.as_deref()).map(|t| pool.add(t)),
        description: tool.and_then(|t| t.description.as_deref()).map(|d| pool.add_lines(d, false)),
        input,
        output,
        annotations,
    }
}

fn median<'a>(counts: impl Iterator<Item = &'a u32>) -> Option<u32> {
    let mut counts: Vec<u32> = counts.copied().collect();
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied()
}
