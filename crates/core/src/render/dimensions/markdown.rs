//! The detailed report of one server: score, rationale, examples and recommendations by dimension.

use std::fmt::Write;

use crate::dimensions::{DimensionScore, Evaluation};
use crate::render::escape::{code, markdown as inline};
use crate::render::text::points;

pub fn markdown(evaluation: &Evaluation) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Evaluation of {}\n", inline(&evaluation.server));
    let total = evaluation.total.map_or("no score".to_owned(), |t| format!("{} of 100", points(t)));
    let _ = writeln!(
        out,
        "**{total}, {}.** {} cases of {} tools, by the bands `{}`. {}\n",
        evaluation.level,
        evaluation.cases.len(),
        evaluation.tools,
        evaluation.bands.name(),
        sentence(&evaluation.judged_by.says()),
    );
    for flag in &evaluation.flags {
        let _ = writeln!(out, "> {}\n", sentence(flag.says()));
    }
    for held in &evaluation.held {
        let _ = writeln!(out, "> {}\n", sentence(held));
    }
    out.push_str("| dimension | points | of | rate | 95 % with more cases | cases |\n");
    out.push_str("|---|---:|---:|---:|---|---:|\n");
    for score in &evaluation.dimensions {
        row(&mut out, score);
    }
    for score in &evaluation.dimensions {
        section(&mut out, score);
    }
    left_to_rules(&mut out, evaluation);
    opinions(&mut out, evaluation);
    out
}

fn row(out: &mut String, score: &DimensionScore) {
    let shown = |number: Option<f64>| number.map_or("–".to_owned(), points);
    let range = score
        .interval
        .map_or("–".to_owned(), |[low, high]| format!("{} to {}", points(low), points(high)));
    let rate = score.rate.map_or("–".to_owned(), |r| format!("{} %", points(r)));
    let _ = writeln!(
        out,
        "| {} | {} | {} | {rate} | {range} | {} |",
        score.title,
        shown(score.points),
        points(score.max),
        score.cases
    );
}

fn section(out: &mut String, score: &DimensionScore) {
    let got = score
        .points
        .map_or("not assessed".to_owned(), |p| format!("{} of {}", points(p), points(score.max)));
    let _ = writeln!(out, "\n## {}: {got}\n\n{}", score.title, sentence(&score.rationale));
    if let Some(held) = &score.held {
        let _ = writeln!(out, "\n{}", sentence(held));
    }
    if !score.examples.is_empty() {
        out.push_str("\nExamples:\n\n");
        for e in &score.examples {
            let standing = serde_json::to_value(e.standing).ok();
            let word = standing.as_ref().and_then(|v| v.as_str()).unwrap_or_default();
            let (tool, case, said) = (inline(&e.tool), inline(&e.case), code(&e.said));
            let _ = writeln!(out, "- {tool}, {case}: *{}*, {said}", word.replace('_', " "));
        }
    }
    if !score.recommendations.is_empty() {
        out.push_str("\nRecommended:\n\n");
        for advice in &score.recommendations {
            let _ = writeln!(out, "- {}", sentence(advice));
        }
    }
}

/// Which questions no model has answered, or was not listened to about.
fn left_to_rules(out: &mut String, evaluation: &Evaluation) {
    let left = &evaluation.judged_by.left;
    if left.is_empty() {
        return;
    }
    out.push_str("\n## Questions left to the rules\n\n");
    out.push_str("| tool | question | cases | unsure |\n|---|---|---:|---:|\n");
    for (tool, kinds) in left {
        for (kind, left) in kinds {
            let (tool, question) = (inline(tool), kind.question());
            let _ = writeln!(out, "| {tool} | {question} | {} | {} |", left.cases, left.unsure);
        }
    }
}

/// Where the model and the rules part.
fn opinions(out: &mut String, evaluation: &Evaluation) {
    let parted: Vec<String> = evaluation
        .cases
        .iter()
        .filter_map(|c| Some((c, c.opinion.as_ref()?)))
        .filter(|(_, opinion)| !opinion.agrees)
        .map(|(c, opinion)| {
            let (tool, case) = (inline(&c.tool), inline(&c.case));
            let (ours, why) = (&c.why, inline(&opinion.because));
            format!("- {tool}, {case}: rules: {ours}; model: {} ({why})", opinion.answer.name())
        })
        .collect();
    if !parted.is_empty() {
        let _ = writeln!(out, "\n## Where the model and the rules part\n\n{}", parted.join("\n"));
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}
