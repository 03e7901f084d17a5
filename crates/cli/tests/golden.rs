//! Golden evidence: recorded runs of real servers, judged by today's checks. A change of a check
//! shows here as what it does to real servers; review the difference, do not just accept it.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::path::PathBuf;

fn fixtures() -> Vec<PathBuf> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/evidence");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("the golden set is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "zst"))
        .collect();
    files.sort();
    files
}

#[test]
fn real_servers_are_judged_as_before() {
    let files = fixtures();
    assert!(files.len() >= 6, "the golden set has shrunk to {}", files.len());
    for file in files {
        let name = file.file_name().and_then(|n| n.to_str()).expect("a plain name").to_owned();
        let path = file.to_str().expect("a plain path");
        let output = common::run(&["score", path, "--verbose", "--color", "never"]);
        let report = String::from_utf8(output.stdout).expect("the report is text");
        assert!(report.contains("AREAS"), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        insta::assert_snapshot!(name.trim_end_matches(".json.zst"), report);
    }
}
