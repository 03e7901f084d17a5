//! One evaluation on a terminal.

use std::fmt::Write;

use crate::dimensions::{DimensionScore, Evaluation, JudgedBy};
use crate::render::text::{clean, clip, pad, points};

/// As plain text, at most `width` columns wide; `all` lists every case.
pub fn terminal(evaluation: &Evaluation, width: usize, all: bool) -> String {
    let mut out = String::new();
    let total = evaluation.total.map_or("no score".to_owned(), |t| format!("{} of 100", points(t)));
    let line = format!(
        "{}  {total} · {} · {} cases of {} tools · bands {}",
        clean(&evaluation.server),
        evaluation.level,
        evaluation.cases.len(),
        evaluation.tools,
        evaluation.bands.name(),
    );
    let _ = writeln!(out, "{}", clip(&line, width, "…"));
    for text in evaluation.flags.iter().map(|f| f.says()) {
        let _ = writeln!(out, "  ! {text}");
    }
    for text in &evaluation.held {
        let _ = writeln!(out, "  ! {text}");
    }
    out.push('\n');
    for score in &evaluation.dimensions {
        dimension(&mut out, score, width);
    }
    if all {
        out.push('\n');
        for case in &evaluation.cases {
            let line = format!("  {} · {}: {}", clean(&case.tool), clean(&case.case), case.why);
            let _ = writeln!(out, "{}", clip(&line, width, "…"));
        }
    }
    out.push('\n');
    judged_by(&mut out, &evaluation.judged_by, width);
    out
}

/// Who judged, and what the rules are unsure of.
fn judged_by(out: &mut String, by: &JudgedBy, width: usize) {
    for line in wrapped(&by.says(), width) {
        let _ = writeln!(out, "{line}");
    }
    for doubt in by.doubts() {
        let _ = writeln!(out, "{}", clip(&format!("  unsure of {doubt}"), width, "…"));
    }
}

fn dimension(out: &mut String, score: &DimensionScore, width: usize) {
    let got = score.points.map_or("–".to_owned(), points);
    let rate = score.rate.map_or(String::new(), |r| format!("{} %", points(r)));
    let range = score.interval.map_or(String::new(), |[low, high]| {
        format!("{}–{} with more cases", points(low), points(high))
    });
    let head = format!(
        "  {} {:>5} of {:<3} {rate:>7}  {range}",
        pad(score.title, 14),
        got,
        points(score.max)
    );
    let _ = writeln!(out, "{}", head.trim_end());
    for line in wrapped(&score.rationale, width.saturating_sub(4)) {
        let _ = writeln!(out, "    {line}");
    }
    if let Some(held) = &score.held {
        let _ = writeln!(out, "    {held}");
    }
    for advice in &score.recommendations {
        for (n, line) in wrapped(advice, width.saturating_sub(6)).into_iter().enumerate() {
            let _ = writeln!(out, "    {} {line}", if n == 0 { "→" } else { " " });
        }
    }
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}
