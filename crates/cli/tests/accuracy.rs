//! `proofmark accuracy`, and whether its committed figures are still about the labels there are.

mod common;

use std::collections::BTreeMap;
use std::fs;

use common::run;
use proofmark_core::accuracy::Measured;
use serde_json::Value;

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
    due.retain(|_, runs| *runs > 0);
    let told = measured.check.iter().map(|(id, a)| (id.clone(), a.caught + a.missed));
    let told: BTreeMap<String, u32> = told.filter(|(_, runs)| *runs > 0).collect();
    assert_eq!(
        told, due,
        "crates/core/accuracy.toml is stale: `proofmark accuracy --transport stdio --write crates/core/accuracy.toml`"
    );
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
