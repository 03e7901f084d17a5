//! `proofmark accuracy`, and whether its committed figures are still about the labels there are.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use common::run;
use proofmark_core::accuracy::Measured;
use proofmark_core::check::Check;
use proofmark_core::checks;
use proofmark_testbed::{Truth, Verdict};
use serde_json::Value;

const STALE: &str = "crates/core/accuracy.toml is stale: `proofmark accuracy --transport stdio --samples crates/testbed --write crates/core/accuracy.toml`";

#[test]
fn the_committed_figures_are_about_the_labels_there_are() {
    let measured = Measured::builtin();
    let mut due: BTreeMap<String, u32> = BTreeMap::new();
    for label in proofmark_testbed::modes().expect("the labels are sound") {
        let used = |t: &&proofmark_testbed::Transport| {
            measured.transports.iter().any(|name| name == t.as_str())
        };
        let runs = label.transports.iter().filter(used).count() as u32;
        for check in label.expect_fail {
            *due.entry(check).or_default() += runs;
        }
    }
    let samples = proofmark_testbed::samples().expect("the labels are sound");
    let holes: Vec<&Truth> =
        samples.truths.iter().filter(|t| t.truth == Verdict::Vulnerable).collect();
    let classes: BTreeSet<&str> =
        holes.iter().flat_map(|t| t.also.iter().chain([&t.class])).map(String::as_str).collect();
    let of_class = |c: &&Check| c.class.is_some_and(|class| classes.contains(class.as_str()));
    let sampled: BTreeSet<&str> =
        checks::all().into_iter().filter(of_class).map(|c| c.id).collect();
    // A hole may count for another check than the first of its class, so these are added up.
    let figures = sampled.iter().filter_map(|id| measured.check.get(*id));
    let told_of_samples: u32 = figures.map(|a| a.caught + a.missed).sum();
    let built_in: u32 = sampled.iter().filter_map(|id| due.get(*id)).sum();
    let due_of_samples = holes.len() as u32 + built_in;
    assert_eq!(told_of_samples, due_of_samples, "{STALE}");
    due.retain(|id, runs| *runs > 0 && !sampled.contains(id.as_str()));
    let told = measured.check.iter().map(|(id, a)| (id.clone(), a.caught + a.missed));
    let told = told.filter(|(id, runs)| *runs > 0 && !sampled.contains(id.as_str()));
    assert_eq!(told.collect::<BTreeMap<String, u32>>(), due, "{STALE}");
}

#[test]
fn two_servers_are_measured_the_same_way_twice_and_written_down() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("accuracy.toml");
    let path = file.to_str().expect("a plain path");
    let args =
        ["accuracy", "--transport", "stdio", "--mode", "good-plain", "--mode", "stdout-noise"];
    let with = |more: &[&str]| run(&[&args[..], more].concat());
    let first = with(&["--format", "json", "--write", path]);
    assert_eq!(first.status.code(), Some(0), "{}", String::from_utf8_lossy(&first.stderr));
    let told: Value = serde_json::from_slice(&first.stdout).expect("JSON");
    let purity = &told["checks"]["protocol/stdout-purity"];
    assert_eq!((&purity["caught"], &purity["quiet"]), (&1.into(), &1.into()), "{purity}");
    assert_eq!(purity["precision"], 1.0);
    let written = fs::read_to_string(&file).expect("it was written");
    let kept = Measured::parse(&written).expect("it can be read");
    assert_eq!(kept.transports, ["stdio"]);
    assert!(kept.check.contains_key("protocol/stdout-purity"));
    assert!(with(&["--format", "json", "-q"]).stdout == first.stdout, "not the same bytes");
}

#[test]
fn a_server_that_there_is_not_is_named_with_the_way_out() {
    let output = run(&["accuracy", "--mode", "gud"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("did you mean") && stderr.contains("serve --list"), "{stderr}");
}

#[test]
fn a_folder_without_labels_is_named_with_the_way_out() {
    let output = run(&["accuracy", "--samples", "/nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("/nowhere/security.toml") && stderr.contains("crates/testbed"),
        "{stderr}"
    );
}
