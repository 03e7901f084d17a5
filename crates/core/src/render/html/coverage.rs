//! Which probe looked at which tool, and what that came to. Not run, not seen and passed are three
//! different things here as everywhere.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::check::{Outcome, Standing};
use crate::checks;
use crate::evidence::{Evidence, Reply};
use crate::report::{FindingReport, Report};

/// A line for each tool in the report's order, then one for the server itself; a letter for each
/// probe: `f`ailed, `p`assed, `r`un without a verdict, `n`ot seen, a blank where nothing was planned.
#[derive(Debug, Default, Serialize)]
pub(super) struct Map<'a> {
    probes: Vec<&'a str>,
    lines: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    NotSeen,
    Run,
    Passed,
    Failed,
}

impl Cell {
    fn letter(self) -> char {
        match self {
            Cell::NotSeen => 'n',
            Cell::Run => 'r',
            Cell::Passed => 'p',
            Cell::Failed => 'f',
        }
    }
}

/// By tool, none for what is about no tool, and probe.
type Cells<'a> = BTreeMap<(Option<&'a str>, &'a str), Cell>;

pub(super) fn map<'a>(report: &'a Report, evidence: &'a Evidence) -> Map<'a> {
    let mut cells = Cells::new();
    for x in &evidence.transcript {
        let cell = match *x.reply {
            Reply::Skipped { .. } | Reply::TimedOut { .. } | Reply::Disconnected => Cell::NotSeen,
            Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence => Cell::Run,
        };
        raise(&mut cells, (x.subject.tool(), &x.probe), cell);
    }
    for finding in &report.findings {
        judge(&mut cells, finding, evidence);
    }
    let probes: BTreeSet<&str> = cells.keys().map(|(_, probe)| *probe).collect();
    let line = |tool: Option<&str>| {
        let cell = |probe: &&str| cells.get(&(tool, *probe)).map_or(' ', |c| c.letter());
        probes.iter().map(cell).collect()
    };
    let tools = report.tools.iter().map(|t| Some(t.name.as_str()));
    let lines = tools.chain([None]).map(line).collect();
    Map { probes: probes.iter().copied().collect(), lines }
}

fn raise<'a>(cells: &mut Cells<'a>, key: (Option<&'a str>, &'a str), to: Cell) {
    let cell = cells.entry(key).or_insert(to);
    *cell = (*cell).max(to);
}

/// A verdict stands for the probes of the calls it names, else for those its check asks for.
fn judge<'a>(cells: &mut Cells<'a>, finding: &'a FindingReport, evidence: &'a Evidence) {
    let verdict = match (finding.outcome, finding.standing) {
        (Outcome::Fail, Standing::Proven | Standing::Observed) => Cell::Failed,
        (Outcome::Pass, _) => Cell::Passed,
        (Outcome::Unseen, _) | (Outcome::Fail, Standing::Suspected) => return,
    };
    let tool = finding.subject.tool();
    let mut probes: BTreeSet<&str> = finding
        .seen_in
        .iter()
        .filter_map(|id| evidence.exchange(*id))
        .filter(|x| x.subject.tool() == tool)
        .map(|x| x.probe.as_str())
        .collect();
    if probes.is_empty() {
        let asked = checks::find(finding.check).map(|c| c.needs).unwrap_or_default();
        probes.extend(asked.iter().map(|p| p.id));
    }
    for probe in probes {
        if let Some(cell) = cells.get_mut(&(tool, probe)).filter(|c| **c >= Cell::Run) {
            *cell = (*cell).max(verdict);
        }
    }
}
