//! Short texts that cost a parser or a pattern far more than their length.

use serde_json::{Value, json};

use crate::arguments::{Slot, Wrap};
use crate::attack::strain::{Strain, is_work, strained};
use crate::attack::{Attack, gets_through, in_tools, nothing_else};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
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

/// Twice for each letter, cubes and squares: each shows at its own size before it hurts.
const SIZES: &[usize] = &[22, 26, 60, 400, 1_200, 3_600];

macro_rules! strain {
    ($name:literal, $make:expr) => {
        Strain { name: $name, sizes: SIZES, hostile: $make, control: ordinary, half: Some(half) }
    };
}

/// Runs that a pattern splits in many ways, with an end that fits none; brackets that never close.
const STRAINS: &[Strain] = &[
    strain!("letters", |n| run('a', n)),
    strain!("capitals", |n| run('A', n)),
    strain!("digits", |n| run('1', n)),
    strain!("spaces", |n| run(' ', n)),
    strain!("brackets", |n| json!("(".repeat(n))),
    strain!("square brackets", |n| json!("[".repeat(n))),
];

fn run(of: char, length: usize) -> Value {
    json!(format!("{}~", of.to_string().repeat(length - 1)))
}

fn ordinary(length: usize) -> Value {
    json!("Some plain words here, ".chars().cycle().take(length).collect::<String>())
}

/// Three letters less of what doubles with each; half of all else.
fn half(size: usize) -> usize {
    if size < 30 { size - 3 } else { size / 2 }
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    in_tools(evidence, |tool, tried| {
        let usual = tried.place.choice.is_none() && tried.place.wrap == Wrap::Plain;
        if !usual || tried.place.slot != Slot::Text || tried.word.took.millis() > 200.0 {
            return Vec::new();
        }
        let of = |strain| strained(evidence, tool, tried, PROBE.id, strain);
        STRAINS.iter().flat_map(of).collect()
    })
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
    if is_work(evidence, x, STRAINS) { finding.proven(proof) } else { finding }
}
