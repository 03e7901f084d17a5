//! One server met in two ways, as by stdio and by HTTP: verdicts that part, and what only one offers.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::Filter;
use crate::drift::{Shift, shifts};
use crate::evidence::{Evidence, Subject};
use crate::report::{Report, RequirementReport};
use crate::revision::Revision;
use crate::spec::{Level, Verdict};
use crate::target::Transport;

/// The other meeting, held against this one.
#[derive(Debug, Serialize)]
pub struct Beside {
    /// Its command or address.
    pub target: String,
    pub transport: Transport,
    /// The name and version it gave there, where they are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub another: Option<String>,
    /// How many verdicts could be compared: seen here and there, in a revision that both speak.
    pub compared: usize,
    pub verdicts: Vec<Parting>,
    pub offers: Vec<Offer>,
}

/// A requirement that holds here and fails there, or the other way round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parting {
    pub id: &'static str,
    pub revision: Revision,
    pub level: Level,
    pub fails: Side,
    /// What is wrong where it fails.
    pub says: String,
}

/// Something that is on offer on one side only, or is not the same thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offer {
    pub what: String,
    pub found: Found,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Here,
    There,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    OnlyHere,
    OnlyThere,
    /// On both, with other definitions: where they part.
    Otherwise(String),
}

impl Beside {
    pub fn of(here: (&Report, &Evidence), there: (&Report, &Evidence), filter: &Filter) -> Beside {
        let name = |report: &Report| {
            let server = &report.server;
            let parts = [server.name.as_deref(), server.version.as_deref()];
            parts.into_iter().flatten().collect::<Vec<&str>>().join(" ")
        };
        let (compared, verdicts) = partings(&here.0.requirements, &there.0.requirements, filter);
        Beside {
            target: there.1.target.line(),
            transport: there.0.conditions.transport,
            another: Some(name(there.0)).filter(|other| *other != name(here.0)),
            compared,
            verdicts,
            offers: offers(here.1, there.1),
        }
    }

    /// Nothing parts.
    pub fn agrees(&self) -> bool {
        self.verdicts.is_empty() && self.offers.is_empty()
    }

    /// What was compared, in one line.
    pub fn line(&self) -> String {
        let parting = match (self.verdicts.len(), self.offers.len()) {
            (0, 0) => "all the same, and the same on offer".to_owned(),
            (verdicts, 0) => format!("{verdicts} part; the same on offer"),
            (verdicts, offers) => format!("{verdicts} part; {offers} differ on offer"),
        };
        format!("{} verdicts compared: {parting}", self.compared)
    }
}

impl Parting {
    pub fn told(&self) -> String {
        let where_from = match self.fails {
            Side::Here => "fails here and holds there",
            Side::There => "holds here and fails there",
        };
        format!("{where_from}: {}", self.says)
    }
}

impl Offer {
    pub fn told(&self) -> String {
        match &self.found {
            Found::OnlyHere => format!("{} is only here", self.what),
            Found::OnlyThere => format!("{} is only there", self.what),
            Found::Otherwise(places) => format!("{} is defined otherwise: {places}", self.what),
        }
    }
}

/// How many verdicts stand on both sides, and those that part. What was not seen on one side says
/// nothing; what concerns one transport alone stands on one side only.
fn partings(
    here: &[RequirementReport],
    there: &[RequirementReport],
    filter: &Filter,
) -> (usize, Vec<Parting>) {
    let seen = |row: &&RequirementReport| matches!(row.verdict, Verdict::Pass | Verdict::Fail);
    let others: BTreeMap<(&str, Revision), &RequirementReport> =
        there.iter().filter(seen).map(|row| ((row.id, row.revision), row)).collect();
    let of_both: Vec<(&RequirementReport, &RequirementReport)> = here
        .iter()
        .filter(seen)
        .filter_map(|row| Some((row, *others.get(&(row.id, row.revision))?)))
        .filter(|(row, other)| filter.wants(row) || filter.wants(other))
        .collect();
    let parting = |(row, other): &(&RequirementReport, &RequirementReport)| {
        let (fails, wrong) = match (row.verdict, other.verdict) {
            (Verdict::Fail, Verdict::Pass) => (Side::Here, row),
            (Verdict::Pass, Verdict::Fail) => (Side::There, other),
            (Verdict::Pass | Verdict::Fail | Verdict::NotTestable | Verdict::NotApplicable, _) => {
                return None;
            }
        };
        let says = wrong.says.clone();
        Some(Parting { id: row.id, revision: row.revision, level: wrong.level, fails, says })
    };
    (of_both.len(), of_both.iter().filter_map(parting).collect())
}

/// Tools, resources, templates and prompts that are not on offer alike.
fn offers(here: &Evidence, there: &Evidence) -> Vec<Offer> {
    let (ours, theirs) = (on_offer(here), on_offer(there));
    let of_ours = ours.iter().filter_map(|(subject, raw)| {
        let found = match theirs.get(subject) {
            None => Found::OnlyHere,
            Some(other) => {
                let places = shifts(raw, other).iter().map(Shift::told).collect::<Vec<_>>();
                Found::Otherwise((!places.is_empty()).then(|| places.join(", "))?)
            }
        };
        Some(Offer { what: named(subject), found })
    });
    let of_theirs = theirs
        .keys()
        .filter(|subject| !ours.contains_key(subject))
        .map(|subject| Offer { what: named(subject), found: Found::OnlyThere });
    of_ours.chain(of_theirs).collect()
}

fn on_offer(evidence: &Evidence) -> BTreeMap<Subject, &Value> {
    let inventory = &evidence.inventory;
    let tools = inventory.tools.iter().map(|t| (Subject::tool_named(&t.name), &t.raw));
    let resource = |uri: &str| Subject::Resource { uri: uri.to_owned() };
    let resources = inventory.resources.iter().map(|r| (resource(&r.uri), &r.raw));
    let templates = inventory.templates.iter().map(|t| (resource(&t.uri_template), &t.raw));
    let prompts =
        inventory.prompts.iter().map(|p| (Subject::Prompt { prompt: p.name.clone() }, &p.raw));
    tools.chain(resources).chain(templates).chain(prompts).collect()
}

fn named(subject: &Subject) -> String {
    match subject {
        Subject::Tool { tool } => format!("tool {tool}"),
        Subject::Resource { uri } => format!("resource {uri}"),
        Subject::Server | Subject::Param { .. } | Subject::Prompt { .. } | Subject::File { .. } => {
            subject.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &'static str, revision: Revision, verdict: Verdict) -> RequirementReport {
        RequirementReport {
            id,
            revision,
            level: Level::Must,
            verdict,
            partial: false,
            says: format!("{id} was seen"),
            fix: None,
            origin: None,
            seen_in: Vec::new(),
        }
    }

    #[test]
    fn only_what_was_seen_on_both_sides_parts() {
        let (old, new) = (Revision::V2024_11_05, Revision::V2025_11_25);
        let here = [
            row("RPC-01", old, Verdict::Pass),
            row("RPC-01", new, Verdict::Fail),
            row("RPC-02", new, Verdict::NotTestable),
            row("RPC-03", new, Verdict::Pass),
            row("HTTP-01", new, Verdict::Fail),
        ];
        let there = [
            row("RPC-01", new, Verdict::Pass),
            row("RPC-02", new, Verdict::Fail),
            row("RPC-03", new, Verdict::Fail),
        ];
        let (compared, parting) = partings(&here, &there, &Filter::default());
        let seen: Vec<_> = parting.iter().map(|p| (p.id, p.revision, p.fails)).collect();
        assert_eq!(compared, 2);
        assert_eq!(seen, [("RPC-01", new, Side::Here), ("RPC-03", new, Side::There)]);
        assert_eq!(parting[1].told(), "holds here and fails there: RPC-03 was seen");
        let only = Filter { sections: vec!["RPC-03".to_owned()], ..Filter::default() };
        assert_eq!(partings(&here, &there, &only).1.len(), 1);
    }
}
