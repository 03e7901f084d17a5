//! The requirement table of one server: filtered, grouped, counted.

mod beside;

pub use beside::{Beside, Found, Offer, Parting, Side};

use std::collections::BTreeMap;

use serde::Serialize;

use crate::evidence::Startup;
use crate::report::{Report, RequirementReport, ServerSummary};
use crate::revision::Revision;
use crate::spec::{self, Level, Origin, Requirement, Verdict};
use crate::target::Transport;

/// What of the table is wanted; an empty list means all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub levels: Vec<Level>,
    pub revisions: Vec<Revision>,
    /// `LIFE`, `HTTP` or a single `LIFE-03`.
    pub sections: Vec<String>,
    pub verdicts: Vec<Verdict>,
}

impl Filter {
    fn wants(&self, row: &RequirementReport) -> bool {
        fn within<T: PartialEq>(list: &[T], item: &T) -> bool {
            list.is_empty() || list.contains(item)
        }
        let named = |s: &String| {
            row.id.eq_ignore_ascii_case(s)
                || row.id.split('-').next().is_some_and(|section| section.eq_ignore_ascii_case(s))
        };
        within(&self.levels, &row.level)
            && within(&self.revisions, &row.revision)
            && within(&self.verdicts, &row.verdict)
            && (self.sections.is_empty() || self.sections.iter().any(named))
    }
}

/// The table of one server.
#[derive(Debug, Serialize)]
pub struct Conformance<'a> {
    pub server: &'a ServerSummary,
    pub transport: Transport,
    /// Those in which a session came about.
    pub revisions: Vec<Revision>,
    /// How many verdicts of each kind, by level.
    pub counts: BTreeMap<Level, Counts>,
    pub failing: Failing,
    pub requirements: Vec<&'a RequirementReport>,
    /// Why there is nothing to tell, where the server did not come up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub down: Option<&'a Startup>,
    /// The same server, met in other ways.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub pass: usize,
    pub fail: usize,
    pub not_testable: usize,
    pub not_applicable: usize,
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Pass => self.pass += 1,
            Verdict::Fail => self.fail += 1,
            Verdict::NotTestable => self.not_testable += 1,
            Verdict::NotApplicable => self.not_applicable += 1,
        }
    }
}

/// Requirements that fail, by who can fix them. What is the author's in one revision is the
/// author's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Failing {
    pub own: usize,
    pub inherited: usize,
    /// Of those inherited: a newer release of the SDK does it right.
    pub upgrade: usize,
    pub unknown: usize,
}

impl Failing {
    fn of(rows: &[&RequirementReport]) -> Failing {
        let mut failing = Failing::default();
        for of_one in rows.chunk_by(|a, b| a.id == b.id) {
            let fails = of_one.iter().filter(|r| r.verdict == Verdict::Fail);
            let origins: Vec<&Origin> = fails.filter_map(|r| r.origin.as_ref()).collect();
            let upgrade = |o: &&Origin| matches!(o, Origin::Inherited { fixed_in: Some(_), .. });
            match origins.iter().min_by_key(|o| rank(o)) {
                Some(Origin::Own) => failing.own += 1,
                Some(Origin::Unknown) => failing.unknown += 1,
                Some(Origin::Inherited { .. }) => {
                    failing.inherited += 1;
                    failing.upgrade += usize::from(origins.iter().all(upgrade));
                }
                None => {}
            }
        }
        failing
    }

    /// One line for people; `None` when nothing fails.
    pub fn line(&self) -> Option<String> {
        let Failing { own, inherited, upgrade, unknown } = *self;
        let count = |n: usize, text: String| (n > 0).then_some(text);
        let better = count(upgrade, format!(" ({upgrade} fixed by an upgrade)"));
        let better = better.unwrap_or_default();
        let parts: Vec<String> = [
            count(own, format!("{own} the author can fix")),
            count(inherited, format!("{inherited} come with the SDK{better}")),
            count(unknown, format!("{unknown} of unknown origin")),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!parts.is_empty()).then(|| format!("failing requirements: {}", parts.join(", ")))
    }
}

fn rank(origin: &Origin) -> u8 {
    match origin {
        Origin::Own => 0,
        Origin::Unknown => 1,
        Origin::Inherited { .. } => 2,
    }
}

/// One requirement over the revisions, oldest first.
#[derive(Debug)]
pub struct Row<'a> {
    pub requirement: &'static Requirement,
    pub cells: Vec<Option<&'a RequirementReport>>,
}

impl<'a> Conformance<'a> {
    pub fn of(report: &'a Report, filter: &Filter) -> Conformance<'a> {
        let rows = &report.requirements;
        let mut revisions: Vec<Revision> = rows.iter().map(|r| r.revision).collect();
        revisions.sort();
        revisions.dedup();
        let requirements: Vec<&RequirementReport> =
            rows.iter().filter(|row| filter.wants(row)).collect();
        let mut counts: BTreeMap<Level, Counts> = BTreeMap::new();
        for row in &requirements {
            counts.entry(row.level).or_default().add(row.verdict);
        }
        let down = matches!(report.startup, Startup::Down { .. }).then_some(&report.startup);
        Conformance {
            down,
            server: &report.server,
            transport: report.conditions.transport,
            revisions,
            counts,
            failing: Failing::of(&requirements),
            requirements,
            beside: Vec::new(),
        }
    }

    /// Nothing that is binding failed.
    pub fn holds(&self) -> bool {
        self.counts.get(&Level::Must).is_none_or(|c| c.fail == 0)
    }

    /// The rows by section, in the order of the table.
    pub fn sections(&self) -> Vec<(&'static str, Vec<Row<'a>>)> {
        let mut sections: Vec<(&'static str, Vec<Row<'a>>)> = Vec::new();
        for of_one in self.requirements.chunk_by(|a, b| a.id == b.id) {
            let id = of_one.first().map_or("", |r| r.id);
            let Some(requirement) = spec::requirement(id) else { continue };
            let cell = |r: &Revision| of_one.iter().copied().find(|c| c.revision == *r);
            let row = Row { requirement, cells: self.revisions.iter().map(cell).collect() };
            match sections.last_mut() {
                Some((name, rows)) if *name == requirement.section() => rows.push(row),
                Some(_) | None => sections.push((requirement.section(), vec![row])),
            }
        }
        sections
    }
}

impl<'a> Row<'a> {
    pub fn verdicts(&self) -> impl Iterator<Item = &'a RequirementReport> {
        self.cells.iter().copied().flatten()
    }

    /// What is not as required, each text once with the revisions it stands for.
    pub fn faults(&self) -> Vec<(String, &'a RequirementReport)> {
        let mut faults: Vec<(Vec<Revision>, &RequirementReport)> = Vec::new();
        for cell in self.verdicts().filter(|c| c.is_fault()) {
            let alike = |f: &RequirementReport| {
                (f.verdict, &f.says, &f.origin) == (cell.verdict, &cell.says, &cell.origin)
            };
            match faults.iter_mut().find(|(_, f)| alike(f)) {
                Some((revisions, _)) => revisions.push(cell.revision),
                None => faults.push((vec![cell.revision], cell)),
            }
        }
        let named = |revisions: Vec<Revision>| {
            let texts: Vec<&str> = revisions.iter().map(|r| r.as_str()).collect();
            texts.join(", ")
        };
        faults.into_iter().map(|(revisions, fault)| (named(revisions), fault)).collect()
    }

    /// The most binding level among the revisions shown.
    pub fn level(&self) -> Option<Level> {
        self.verdicts().map(|c| c.level).min()
    }
}

/// Whose fault it is, to stand behind the revisions; empty where it is not known.
pub fn tag(fault: &RequirementReport) -> String {
    match &fault.origin {
        Some(origin @ (Origin::Own | Origin::Inherited { .. })) => format!(" [{origin}]"),
        Some(Origin::Unknown) | None => String::new(),
    }
}

/// What a section is about.
pub fn title(section: &str) -> &'static str {
    match section {
        "LIFE" => "Lifecycle, negotiation, discovery",
        "RPC" => "JSON-RPC framing",
        "TOOL" => "Tools",
        "RES" => "Resources",
        "PROMPT" => "Prompts",
        "COMP" => "Completion",
        "PAGE" => "Pagination",
        "LOG" => "Logging",
        "PING" => "Ping",
        "PROG" => "Progress",
        "CANC" => "Cancellation",
        "S2C" => "Sampling, elicitation, roots",
        "MRTR" => "Input required",
        "SUB" => "Subscriptions",
        "TASK" => "Tasks",
        "HTTP" => "Streamable HTTP",
        "SSE" => "HTTP+SSE",
        "AUTH" => "Authorization",
        "SEC" => "Security practice",
        _ => "Other",
    }
}
