//! The mutants: the table is sound, and every one shows its defect to a client that uses the whole
//! protocol. Which requirement catches it is for the product's own tests to say.

mod over_http;
mod over_stdio;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::thread;

use proofmark_testbed::{Mutant, Transport, modes, mutants};

/// How many requirements each section of the table has.
const SECTIONS: [(&str, usize); 19] = [
    ("LIFE", 28),
    ("RPC", 25),
    ("TOOL", 34),
    ("RES", 18),
    ("PROMPT", 9),
    ("COMP", 5),
    ("PAGE", 5),
    ("LOG", 7),
    ("PING", 2),
    ("PROG", 5),
    ("CANC", 6),
    ("S2C", 12),
    ("MRTR", 7),
    ("SUB", 5),
    ("TASK", 13),
    ("HTTP", 34),
    ("SSE", 5),
    ("AUTH", 19),
    ("SEC", 11),
];

/// Requirements that never fail, so that no defect can break them.
const INFORMATION: [&str; 16] = [
    "LIFE-07", "LIFE-13", "RPC-14", "RPC-24", "TOOL-19", "TOOL-32", "PAGE-05", "SUB-05", "HTTP-11",
    "HTTP-16", "HTTP-20", "HTTP-33", "HTTP-34", "SSE-04", "SSE-05", "SEC-09",
];

fn all() -> Vec<Mutant> {
    mutants().expect("the rows parse")
}

fn requirements() -> BTreeSet<String> {
    let ids = |(name, count): (&str, usize)| {
        (1..=count).map(move |n| format!("{name}-{n:02}")).collect::<Vec<_>>()
    };
    SECTIONS.into_iter().flat_map(ids).collect()
}

#[test]
fn every_mutant_breaks_a_requirement_that_exists_and_can_fail() {
    let known = requirements();
    assert_eq!(known.len(), 250);
    let mut seen = BTreeSet::new();
    for mutant in all() {
        let Mutant { id, requirement, says, .. } = &mutant;
        assert!(seen.insert(id.clone()), "{id} is there twice");
        assert!(known.contains(requirement), "{id}: there is no {requirement}");
        assert!(!INFORMATION.contains(&requirement.as_str()), "{id}: {requirement} never fails");
        assert!(id.starts_with(&format!("{}-", requirement.to_lowercase())), "{id}: {requirement}");
        assert!(says.ends_with('.') && !says.contains('\n'), "{id}: {says}");
        assert!(!mutant.transports.is_empty() && mutant.revisions.dates().count() > 0, "{id}");
    }
}

#[test]
fn there_are_enough_mutants_of_enough_kinds_on_modes_that_exist() {
    let all = all();
    assert!(all.len() >= 140, "{}", all.len());
    let broken: BTreeSet<&str> = all.iter().map(|m| m.requirement.as_str()).collect();
    assert!(broken.len() >= 170, "{} requirements have a mutant", broken.len());
    let modes: Vec<String> =
        modes().expect("labels.toml parses").into_iter().map(|l| l.name).collect();
    for mutant in &all {
        assert!(modes.contains(&mutant.server), "{}: no mode {}", mutant.id, mutant.server);
    }
}

#[test]
fn every_mutant_shows_its_defect_over_stdio() {
    assert_eq!(quiet(Transport::Stdio, over_stdio::shows), BTreeMap::new());
}

#[test]
fn every_mutant_of_http_alone_shows_its_defect_there() {
    assert_eq!(quiet(Transport::Http, over_http::shows), BTreeMap::new());
    assert_eq!(quiet(Transport::Sse, over_http::shows_over_sse), BTreeMap::new());
}

/// The mutants of this transport that behaved, with the revisions they were tried in. What shows
/// over stdio is not tried again elsewhere: it is the same code.
fn quiet(
    transport: Transport,
    shows: fn(&Mutant, &'static str) -> bool,
) -> BTreeMap<String, Vec<&'static str>> {
    let mut meant = all();
    meant.retain(|m| m.transports[0] == transport);
    let (left, quiet) = (Mutex::new(meant), Mutex::new(BTreeMap::new()));
    let next = || left.lock().expect("nobody panicked").pop();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some(mutant) = next() {
                    let mut tried: Vec<&'static str> = mutant.revisions.dates().collect();
                    tried.reverse();
                    if !tried.iter().any(|revision| shows(&mutant, revision)) {
                        quiet.lock().expect("nobody panicked").insert(mutant.id, tried);
                    }
                }
            });
        }
    });
    quiet.into_inner().expect("nobody panicked")
}
