//! The sample servers: labels and servers are in step, every hole is shown to be one, and what
//! looks like a hole and is none withstands.

#![expect(clippy::unwrap_used, reason = "what runs a test may fail the test")]

mod payloads;
mod shown;
mod withstood;
mod world;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

use proofmark_core::check::Class;
use proofmark_testbed::{Samples, Truth, Verdict, samples};

use self::world::World;

#[test]
fn every_labelled_tool_is_listed_and_every_listed_tool_is_labelled() {
    let samples = samples().unwrap();
    for server in &samples.servers {
        let labelled: BTreeSet<String> = samples
            .of(&server.name)
            .filter(|t| !t.later)
            .flat_map(|t| [t.tool.clone(), t.through.clone()])
            .flatten()
            .collect();
        let (world, offered) = (World::new(), |t: &Truth| t.resource.clone().or(t.prompt.clone()));
        let mut session = world.start(server, "test");
        assert_eq!(labelled, session.definitions().into_keys().collect(), "{}", server.name);
        let others: BTreeSet<String> = samples.of(&server.name).filter_map(offered).collect();
        assert_eq!(others, session.offers().into_keys().collect(), "{}", server.name);
        assert!((6..=16).contains(&labelled.len()), "{} has {}", server.name, labelled.len());
    }
}

#[test]
fn labels_speak_of_known_servers_and_classes_and_are_enough() {
    let samples = samples().unwrap();
    let names: BTreeSet<&str> = samples.servers.iter().map(|s| s.name.as_str()).collect();
    let (mut holes, mut lookalikes) = (BTreeSet::new(), BTreeSet::new());
    for truth in &samples.truths {
        assert!(names.contains(truth.server.as_str()), "{truth:?}");
        for class in truth.also.iter().chain([&truth.class]) {
            assert!(Class::parse(class).is_some(), "{class} of {truth:?}");
        }
        match truth.truth {
            Verdict::Vulnerable => {
                holes.insert((&truth.server, &truth.tool, &truth.class));
            }
            Verdict::Safe => {
                assert!(truth.also.is_empty(), "{truth:?}");
                lookalikes.insert((&truth.server, &truth.tool));
            }
        }
    }
    for (server, tool, _) in &holes {
        let both = tool.is_some() && lookalikes.contains(&(*server, *tool));
        assert!(!both, "{tool:?} is called both");
    }
    assert!(holes.len() >= 40 && lookalikes.len() >= 60, "{} {}", holes.len(), lookalikes.len());
}

#[test]
fn every_vulnerable_label_is_shown_to_be_true() {
    let samples = samples().unwrap();
    let shown = shown::read();
    for truth in samples.truths.iter().filter(|t| t.truth == Verdict::Vulnerable) {
        assert!(shown.iter().any(|s| s.is_about(truth)), "nothing shows {truth:?}");
    }
    all_of(&samples, &shown, |samples, one| {
        assert!(samples.truths.iter().any(|t| one.is_about(t)), "no label has {one:?}");
        one.run(samples)
    });
}

#[test]
fn every_safe_tool_works_and_withstands_hostile_values() {
    let samples = samples().unwrap();
    let withstood = withstood::read();
    for truth in samples.truths.iter().filter(|t| t.truth == Verdict::Safe) {
        let tried = withstood.valid.iter().any(|v| v.is_about(truth))
            || truth.tool.is_none() && withstood.never.iter().any(|n| n.is_about(truth));
        assert!(tried, "no call of {truth:?}");
    }
    all_of(&samples, &withstood.valid, |samples, one| one.run(samples));
    all_of(&samples, &withstood.never, |samples, one| one.run(samples));
}

/// Two at a time; tells all complaints.
fn all_of<T: Sync>(
    samples: &Samples,
    cases: &[T],
    run: impl Fn(&Samples, &T) -> Vec<String> + Sync,
) {
    let queue = Mutex::new(cases.iter());
    let complaints = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(case) = queue.lock().unwrap().next() else { return };
                    let wrong = run(samples, case);
                    complaints.lock().unwrap().extend(wrong);
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
