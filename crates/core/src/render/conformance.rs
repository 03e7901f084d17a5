//! The requirement table as Markdown and as JSON.

use std::fmt::Write;

use crate::conformance::{Beside, Conformance, Row, tag, title};
use crate::render::terminal::transport;
use crate::report::RequirementReport;
use crate::spec::Verdict;

pub fn json(table: &Conformance<'_>) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(table)?;
    text.push('\n');
    Ok(text)
}

/// One table per section, a column per revision; what fails is told below each.
pub fn markdown(table: &Conformance<'_>) -> String {
    let mut out = String::from(
        "# Conformance\n\n| level | failed | passed | not testable | not applicable |\n|---|---:|---:|---:|---:|\n",
    );
    for (level, c) in &table.counts {
        let _ = writeln!(
            out,
            "| {level} | {} | {} | {} | {} |",
            c.fail, c.pass, c.not_testable, c.not_applicable
        );
    }
    if let Some(line) = table.failing.line() {
        let _ = writeln!(out, "\n{line}");
    }
    let revisions: Vec<&str> = table.revisions.iter().map(|r| r.as_str()).collect();
    for (section, rows) in table.sections() {
        let _ = writeln!(out, "\n## {}\n", title(section));
        let _ = writeln!(out, "| requirement | level | {} | |", revisions.join(" | "));
        let _ = writeln!(out, "|---|---|{}---|", ":-:|".repeat(revisions.len()));
        rows.iter().for_each(|row| line(&mut out, row));
        let mut faults = rows.iter().flat_map(Row::faults).peekable();
        if faults.peek().is_some() {
            out.push('\n');
        }
        for (revisions, fault) in faults {
            let (origin, says) = (escape(&tag(fault)), escape(&fault.says));
            let _ = write!(out, "- **{}** ({revisions}){origin}: {says}", fault.id);
            match fault.fix.as_deref().filter(|f| !f.is_empty()) {
                Some(fix) => {
                    let _ = writeln!(out, " *Fix:* {}", escape(fix));
                }
                None => out.push('\n'),
            }
        }
    }
    table.beside.iter().for_each(|other| beside(&mut out, other));
    out
}

fn beside(out: &mut String, other: &Beside) {
    let _ = writeln!(
        out,
        "\n## Beside {} ({})\n\n{}",
        escape(&other.target),
        transport(other.transport),
        other.line()
    );
    if let Some(name) = &other.another {
        let _ = writeln!(out, "\nIt calls itself otherwise there: {}", escape(name));
    }
    if !other.agrees() {
        out.push('\n');
    }
    for part in &other.verdicts {
        let _ = writeln!(
            out,
            "- **{}** ({}, {}) {}",
            part.id,
            part.level,
            part.revision,
            escape(&part.told())
        );
    }
    for offer in &other.offers {
        let _ = writeln!(out, "- {}", escape(&offer.told()));
    }
}

fn line(out: &mut String, row: &Row<'_>) {
    let level = row.level().map(|l| l.to_string()).unwrap_or_default();
    let marks: Vec<&str> = row.cells.iter().map(|cell| cell.map_or("", mark)).collect();
    let says = escape(&row.requirement.says);
    let _ = writeln!(out, "| {} | {level} | {} | {says} |", row.requirement.id, marks.join(" | "));
}

fn mark(cell: &RequirementReport) -> &'static str {
    match cell.verdict {
        Verdict::Pass if cell.partial => "~",
        Verdict::Pass => "✓",
        Verdict::Fail => "✗",
        Verdict::NotTestable => "·",
        Verdict::NotApplicable => "–",
    }
}

/// Text of unknown origin must not end a cell or start markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in super::text::clean(text).chars() {
        if matches!(c, '|' | '<' | '>' | '[' | ']' | '*' | '_' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
