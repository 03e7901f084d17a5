//! The requirement table on a terminal: what fails in full, the rest as marks.

use super::sheet::{Paint, Sheet, Span, faint, hard, name, plain, strong};
use super::{Detail, Style, head};
use crate::conformance::{Beside, Conformance, Row, tag, title};
use crate::render::text::pad;
use crate::report::{Report, RequirementReport};
use crate::revision::Revision;
use crate::spec::{Level, Verdict};

/// Draws the table. Sections without fault are one line, unless all is asked for.
pub fn conformance(report: &Report, table: &Conformance<'_>, style: &Style) -> String {
    let mut sheet = Sheet::new(*style);
    head::identity(&mut sheet, report);
    summary(&mut sheet, table);
    if style.detail == Detail::Headline {
        return sheet.finish();
    }
    legend(&mut sheet, table);
    for (section, rows) in table.sections() {
        sheet.heading(section, title(section));
        let full = style.detail == Detail::Full;
        let (shown, quiet): (Vec<&Row<'_>>, Vec<&Row<'_>>) =
            rows.iter().partition(|row| full || !row.faults().is_empty());
        for row in shown {
            draw(&mut sheet, row);
        }
        rest(&mut sheet, &quiet);
    }
    table.beside.iter().for_each(|other| beside(&mut sheet, other));
    sheet.finish()
}

fn beside(sheet: &mut Sheet, other: &Beside) {
    sheet.heading("Beside", &format!("{} ({})", other.target, head::transport(other.transport)));
    sheet.flow(2, 4, &[plain(other.line())]);
    if let Some(name) = &other.another {
        sheet.flow(2, 4, &[(Paint::Fair, format!("it calls itself otherwise there: {name}"))]);
    }
    for part in &other.verdicts {
        let says = sheet.shortened(&part.told(), 12, 3);
        let head = format!("{} {}", pad(part.id, 9), part.revision);
        sheet.flow(2, 12, &[name(hard(&head)), plain("  "), plain(says)]);
    }
    for offer in &other.offers {
        let says = sheet.shortened(&offer.told(), 4, 3);
        sheet.flow(2, 4, &[plain(says)]);
    }
}

fn summary(sheet: &mut Sheet, table: &Conformance<'_>) {
    sheet.blank();
    for (level, counts) in &table.counts {
        let failed = (
            if counts.fail > 0 && *level <= Level::Schema { Paint::Bad } else { Paint::Plain },
            hard(&format!("{:>4} failed", counts.fail)),
        );
        sheet.flow(
            0,
            2,
            &[
                strong(hard(&pad(&level.to_string(), 12))),
                failed,
                plain(hard(&format!("{:>5} passed", counts.pass))),
                faint(hard(&format!("{:>5} not testable", counts.not_testable))),
                faint(hard(&format!("{:>5} not applicable", counts.not_applicable))),
            ],
        );
    }
    if let Some(line) = table.failing.line() {
        sheet.blank();
        sheet.flow(0, 2, &[plain(line)]);
    }
    if table.counts.is_empty() {
        sheet.flow(0, 2, &[plain("no requirement fits the filter, or no session came about")]);
    }
}

fn legend(sheet: &mut Sheet, table: &Conformance<'_>) {
    let letters: Vec<String> =
        table.revisions.iter().map(|r| format!("{} {r}", letter(*r))).collect();
    let signs = [(Verdict::Pass, false), (Verdict::Pass, true), (Verdict::Fail, false)];
    let signs = signs.map(|(verdict, partial)| sign(sheet, verdict, partial).1);
    let [pass, partly, fail] = signs;
    let none = sign(sheet, Verdict::NotTestable, false).1;
    sheet.blank();
    sheet.flow(0, 2, &[faint(letters.join("  "))]);
    let key = format!("{pass} pass  {partly} tolerated  {fail} fail  {none} not seen");
    sheet.flow(0, 2, &[faint(key)]);
}

fn letter(revision: Revision) -> char {
    match revision {
        Revision::V2024_11_05 => 'A',
        Revision::V2025_03_26 => 'B',
        Revision::V2025_06_18 => 'C',
        Revision::V2025_11_25 => 'D',
        Revision::V2026_07_28 => 'E',
    }
}

fn sign(sheet: &Sheet, verdict: Verdict, partial: bool) -> Span {
    let unicode = sheet.style.unicode;
    let text = |fine: &str, plain: &str| if unicode { fine.to_owned() } else { plain.to_owned() };
    match verdict {
        Verdict::Pass if partial => (Paint::Fair, "~".to_owned()),
        Verdict::Pass => (Paint::Good, text("✓", "+")),
        Verdict::Fail => (Paint::Bad, text("✗", "x")),
        Verdict::NotTestable => (Paint::Faint, text("·", ".")),
        Verdict::NotApplicable => (Paint::Faint, text("–", "-")),
    }
}

fn draw(sheet: &mut Sheet, row: &Row<'_>) {
    let level = row.level().map(|l| l.to_string()).unwrap_or_default();
    let mut spans = vec![
        name(hard(&pad(&row.requirement.id, 9))),
        plain(hard(" ")),
        faint(hard(&pad(&level, 12))),
    ];
    for cell in &row.cells {
        let (paint, text) = match cell {
            Some(cell) => sign(sheet, cell.verdict, cell.partial),
            None => (Paint::Plain, " ".to_owned()),
        };
        spans.push((paint, hard(&text)));
    }
    spans.push(plain(hard("  ")));
    spans.push(plain(row.requirement.says.clone()));
    sheet.flow(2, 24 + row.cells.len() + 2, &spans);
    for (revisions, fault) in row.faults() {
        told(sheet, &revisions, fault);
    }
}

fn told(sheet: &mut Sheet, revisions: &str, fault: &RequirementReport) {
    let paint = if fault.verdict == Verdict::Fail { Paint::Bad } else { Paint::Fair };
    let says = sheet.shortened(&fault.says, 12, 3);
    sheet.flow(
        12,
        12,
        &[(paint, revisions.to_owned()), faint(tag(fault)), plain(": "), plain(says)],
    );
    if let Some(fix) = fault.fix.as_ref().filter(|f| !f.is_empty()) {
        sheet.flow(12, 17, &[faint("fix: "), plain(fix.clone())]);
    }
}

/// The rows that need no words, counted.
fn rest(sheet: &mut Sheet, quiet: &[&Row<'_>]) {
    let count = |verdict| {
        let seen = |row: &&&Row<'_>| row.verdicts().any(|c| c.verdict == verdict);
        quiet.iter().filter(seen).count()
    };
    let passed = count(Verdict::Pass);
    let unseen = quiet.len() - passed;
    let mut parts = Vec::new();
    if passed > 0 {
        parts.push(format!("{passed} hold"));
    }
    if unseen > 0 {
        parts.push(format!("{unseen} not seen or not applicable"));
    }
    if !parts.is_empty() {
        sheet.flow(2, 4, &[faint(parts.join(", "))]);
    }
}
