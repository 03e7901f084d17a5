//! Several servers beside each other, as Markdown and on a terminal.

use std::fmt::Write;

use crate::dimensions::{Dimension, Evaluation};
use crate::render::escape::markdown as inline;
use crate::render::text::{clean, clip, pad, points};

/// Best first.
fn ranked(evaluations: &[Evaluation]) -> Vec<&Evaluation> {
    let mut ranked: Vec<&Evaluation> = evaluations.iter().collect();
    ranked.sort_by(|a, b| {
        let total = |e: &Evaluation| e.total.unwrap_or(-1.0);
        total(b).total_cmp(&total(a)).then_with(|| a.server.cmp(&b.server))
    });
    ranked
}

fn shown(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), points)
}

/// As plain text, a line for each server.
pub fn summary_terminal(evaluations: &[Evaluation], width: usize) -> String {
    const WIDEST: usize = 36;
    let ranked = ranked(evaluations);
    let name = |e: &Evaluation| clip(&clean(&e.server), WIDEST, "…");
    let names = ranked.iter().map(|e| name(e).chars().count()).max().unwrap_or(0);
    let heads = Dimension::ALL.map(|d| d.title().chars().take(5).collect::<String>());
    let head = heads.map(|h| format!("{h:>6}")).concat();
    let mut out = format!("{}  total  level  {head}  flags\n", pad("", names));
    for e in &ranked {
        let scores = Dimension::ALL.map(|d| format!("{:>6}", shown(e.points(d)))).concat();
        let flags: Vec<&str> = e.flags.iter().map(|f| f.name()).collect();
        let (name, total, level) = (pad(&name(e), names), shown(e.total), pad(&e.level, 7));
        let line = format!("{name}  {total:>5}  {level}{scores}  {}", flags.join(" "));
        let _ = writeln!(out, "{}", clip(line.trim_end(), width, "…"));
    }
    let totals: Vec<f64> = ranked.iter().filter_map(|e| e.total).collect();
    if let Some([lowest, _, median, _, highest]) = quartiles(&totals).map(|five| five.map(points)) {
        let _ = writeln!(
            out,
            "\n{} servers: median {median}, from {lowest} to {highest}",
            evaluations.len()
        );
    }
    out
}

pub fn summary(evaluations: &[Evaluation]) -> String {
    let ranked = ranked(evaluations);
    let mut out = format!("# {} servers in five dimensions\n\n", evaluations.len());
    let names: Vec<&str> = Dimension::ALL.iter().map(|d| d.title()).collect();
    let _ = writeln!(out, "| server | total | level | {} | flags |", names.join(" | "));
    out.push_str("|---|---:|---|---:|---:|---:|---:|---:|---|\n");
    for e in &ranked {
        let scores: Vec<String> = Dimension::ALL.iter().map(|d| shown(e.points(*d))).collect();
        let flags: Vec<&str> = e.flags.iter().map(|f| f.name()).collect();
        let (server, total) = (inline(&e.server), shown(e.total));
        let (scores, flags) = (scores.join(" | "), flags.join(", "));
        let _ = writeln!(out, "| {server} | {total} | {} | {scores} | {flags} |", e.level);
    }
    let _ = writeln!(out, "\n| | lowest | quarter | median | three quarters | highest | mean |");
    out.push_str("|---|---:|---:|---:|---:|---:|---:|\n");
    for dimension in Dimension::ALL {
        spread(&mut out, dimension.title(), ranked.iter().filter_map(|e| e.points(dimension)));
    }
    spread(&mut out, "Total", ranked.iter().filter_map(|e| e.total));
    let unscored = ranked.iter().filter(|e| e.total.is_none()).count();
    if unscored > 0 {
        let _ = writeln!(out, "\n{unscored} could not be scored; they are in no mean.");
    }
    out
}

fn spread(out: &mut String, title: &str, values: impl Iterator<Item = f64>) {
    let values: Vec<f64> = values.collect();
    let Some(five) = quartiles(&values) else { return };
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let numbers: Vec<String> = five.into_iter().chain([mean]).map(points).collect();
    let _ = writeln!(out, "| {title} | {} |", numbers.join(" | "));
}

/// Lowest, quarter, median, three quarters, highest.
pub(super) fn quartiles(values: &[f64]) -> Option<[f64; 5]> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)? as f64;
    let at = |share: f64| {
        let place = share * last;
        let (low, high) = (place.floor() as usize, place.ceil() as usize);
        let (a, b) = (sorted.get(low).copied(), sorted.get(high).copied());
        a.zip(b).map_or(0.0, |(a, b)| a + (b - a) * place.fract())
    };
    Some([0.0, 0.25, 0.5, 0.75, 1.0].map(at))
}
