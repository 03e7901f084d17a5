//! Several evaluations as CSV, one line each.

use crate::dimensions::{Dimension, Evaluation};
use crate::render::text::{clean, points};

pub fn csv(evaluations: &[Evaluation]) -> String {
    let names: Vec<&str> = Dimension::ALL.iter().map(|d| d.id()).collect();
    let mut out = format!("server,total,level,{},cases,flags\n", names.join(","));
    for e in evaluations {
        let number = |value: Option<f64>| value.map_or(String::new(), points);
        let scores: Vec<String> = Dimension::ALL.iter().map(|d| number(e.points(*d))).collect();
        let flags: Vec<&str> = e.flags.iter().map(|f| f.name()).collect();
        let fields = [
            quoted(&e.server),
            number(e.total),
            e.level.clone(),
            scores.join(","),
            e.cases.len().to_string(),
            flags.join(" "),
        ];
        out.push_str(&fields.join(","));
        out.push('\n');
    }
    out
}

/// A name that begins like a formula would be run as one by a spreadsheet.
fn quoted(text: &str) -> String {
    let text = clean(text);
    let formula = text.starts_with(['=', '+', '-', '@']);
    format!("\"{}{}\"", if formula { "'" } else { "" }, text.replace('"', "\"\""))
}
