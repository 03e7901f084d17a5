//! The requirement table as the page's script reads it, and where the specification says so.

use serde::Serialize;

use super::texts::Pool;
use crate::conformance::{Conformance, Filter, Row, title};
use crate::report::{Report, RequirementReport};
use crate::revision::Revision;
use crate::spec::{Level, Verdict};

const SPECIFICATION: &str = "https://modelcontextprotocol.io/specification";

#[derive(Debug, Default, Serialize)]
pub(super) struct Table {
    revisions: Vec<&'static str>,
    rows: Vec<TableRow>,
}

#[derive(Debug, Serialize)]
struct TableRow {
    id: &'static str,
    section: &'static str,
    level: Option<Level>,
    says: usize,
    spec: String,
    cells: Vec<Option<Cell>>,
}

/// One revision: verdict, whether only in part, what was seen, what to do, the calls.
#[derive(Debug, Serialize)]
struct Cell {
    verdict: Verdict,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    says: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seen: Vec<u32>,
}

pub(super) fn table(report: &Report, pool: &mut Pool) -> Table {
    let conformance = Conformance::of(report, &Filter::default());
    let newest = conformance.revisions.last().map(|r| r.as_str());
    let mut rows = Vec::new();
    for (section, of_section) in conformance.sections() {
        rows.extend(of_section.iter().map(|row| table_row(section, row, newest, pool)));
    }
    Table { revisions: conformance.revisions.iter().map(|r: &Revision| r.as_str()).collect(), rows }
}

fn table_row(
    section: &'static str,
    row: &Row<'_>,
    newest: Option<&str>,
    pool: &mut Pool,
) -> TableRow {
    TableRow {
        id: &row.requirement.id,
        section: title(section),
        level: row.level(),
        says: pool.add(&row.requirement.says),
        spec: link(section, newest),
        cells: row.cells.iter().map(|cell| cell.map(|c| verdict(c, pool))).collect(),
    }
}

fn verdict(cell: &RequirementReport, pool: &mut Pool) -> Cell {
    Cell {
        verdict: cell.verdict,
        partial: cell.partial,
        says: pool.add(&cell.says),
        fix: cell.fix.as_deref().filter(|f| !f.is_empty()).map(|f| pool.add(f)),
        origin: cell.origin.as_ref().map(ToString::to_string),
        seen: cell.seen_in.iter().take(3).map(|x| x.0).collect(),
    }
}

/// The page of the specification that a section comes from.
pub(super) fn link(section: &str, revision: Option<&str>) -> String {
    let revision = revision.unwrap_or("2025-11-25");
    let page = match section {
        "LIFE" => "basic/lifecycle",
        "TOOL" => "server/tools",
        "RES" => "server/resources",
        "PROMPT" => "server/prompts",
        "COMP" => "server/utilities/completion",
        "PAGE" => "server/utilities/pagination",
        "LOG" => "server/utilities/logging",
        "PING" => "basic/utilities/ping",
        "PROG" => "basic/utilities/progress",
        "CANC" => "basic/utilities/cancellation",
        "S2C" => "client/sampling",
        "TASK" => "basic/utilities/tasks",
        "HTTP" | "SSE" => "basic/transports",
        "AUTH" => "basic/authorization",
        "SEC" => "basic/security_best_practices",
        _ => "basic",
    };
    format!("{SPECIFICATION}/{revision}/{page}")
}
