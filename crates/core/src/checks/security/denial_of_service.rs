//! Short texts that cost a parser or a pattern far more than their length.

use crate::arguments::{Place, Slot, Wrap};
use crate::attack::costly::{NESTED, PATTERN, STRAINS, letters};
use crate::attack::strain::{is_work, settled, strained};
use crate::attack::{Attack, gets_through, in_tools, nothing_else, openness};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::benign::Tried;
use crate::probes::{benign, valid_call};
use crate::proof::Proof;
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/denial-of-service",
    title: "No short text costs much",
    facet: Facet::Robustness,
    severity: Severity::Medium,
    class: Some(Class::Dos),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("denial_of_service.md"),
    judge,
};

const PROBE: Probe = Probe { id: "denial-of-service", hostile: true, lane: Lane::Last, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    in_tools(evidence, |tool, tried| {
        let usual = tried.place.choice.is_none() && tried.place.wrap == Wrap::Plain;
        if !usual || tried.place.slot != Slot::Text || tried.word.took.millis() > 200.0 {
            return Vec::new();
        }
        let of = |strain| strained(evidence, tool, tried, PROBE.id, strain);
        let mut calls: Vec<Call> = STRAINS.iter().flat_map(of).collect();
        if openness::names_formula(tool, &tried.place.pointer) {
            calls.extend(strained(evidence, tool, tried, PROBE.id, &NESTED));
        }
        let switch = openness::pattern_switch(tool);
        if switch.is_some() || openness::names_pattern(tool, &tried.place.pointer) {
            let mut beside = among_letters(evidence, tool, tried);
            if let Some(switch) = switch {
                beside.place.arguments[switch] = true.into();
            }
            calls.extend(strained(evidence, tool, &beside, PROBE.id, &PATTERN));
        }
        calls
    })
}

/// The same place with letters in all texts beside it, for a pattern to go through.
fn among_letters<'a>(evidence: &'a Evidence, tool: &'a Tool, tried: &Tried<'a>) -> Tried<'a> {
    let mut among = tried.clone();
    for other in benign::tried(evidence, tool) {
        let beside = other.place.slot == Slot::Text && other.place.twin == tried.place.twin;
        if beside && other.place.pointer != tried.place.pointer {
            let place = Place { arguments: among.place.arguments.clone(), ..other.place };
            let filled = place.filled(tool, &letters());
            among.place.arguments = filled.map_or(place.arguments, |(arguments, _)| arguments);
        }
    }
    among
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no text cost more than its length",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let what = x.label.split(", hostile").next().unwrap_or_default();
    let says =
        format!("a short text ({}) costs more than its length, and grows faster", quote(what));
    let fix = "use patterns without nested or adjoining repetition, or an engine of linear time (RE2), limit the length, and stop work that takes long";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    let known = is_work(evidence, x, STRAINS) || is_work(evidence, x, &[NESTED, PATTERN]);
    settled(evidence, finding, proof, known)
}
