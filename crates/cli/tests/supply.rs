//! Dependencies, advisories, the bill of materials and the modules, through the binary.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use common::{Assessed, assess, assess_mode, run};

const VULNERABILITIES: &str = "supply_chain/known-vulnerabilities";

fn tree() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write("package.json", r#"{"name": "own", "version": "1.0.0", "dependencies": {"tar": "^6"}}"#);
    // A tree without a server can't be assessed as one.
    write("index.js", "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n");
    write(
        "package-lock.json",
        r#"{"lockfileVersion": 3, "packages": {"": {}, "node_modules/tar": {"version": "6.1.0", "license": "ISC"}}}"#,
    );
    write(
        "advisory.json",
        r#"{"id": "GHSA-1", "summary": "writes outside", "database_specific": {"severity": "HIGH"},
            "affected": [{"package": {"ecosystem": "npm", "name": "tar"},
            "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": "6.1.9"}]}]}]}"#,
    );
    dir
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn status(assessed: &Assessed, id: &str) -> String {
    let modules = assessed.report["modules"].as_array().unwrap();
    let module = modules.iter().find(|m| m["id"] == id).unwrap();
    module["status"].as_str().unwrap().to_owned()
}

#[test]
fn an_advisory_on_disk_finds_the_package_and_names_the_fix() {
    let dir = tree();
    let advisory = dir.path().join("advisory.json");
    let found = assess(&["--source", text(dir.path()), "--osv", text(&advisory)], &[]);
    let one = found.findings().find(|f| f["check"] == VULNERABILITIES).unwrap();
    assert_eq!(one["outcome"], "fail");
    assert_eq!(one["fix"], "upgrade tar to 6.1.9 or later");
    assert_eq!(status(&found, "dependency-vulnerability"), "FAIL");
}

#[test]
fn without_a_database_nothing_passes_and_the_way_out_is_named() {
    let dir = tree();
    let found = assess(&["--source", text(dir.path())], &[]);
    let one = found.findings().find(|f| f["check"] == VULNERABILITIES).unwrap();
    assert_eq!(one["outcome"], "unseen");
    let says = one["says"].as_str().unwrap();
    assert!(says.contains("--osv") && says.contains("--online"), "{says}");
    assert_eq!(status(&found, "dependency-vulnerability"), "NOT RUN");
    assert_eq!(status(&found, "temporal"), "N/A");
    let wrong = run(&["assess", "--source", text(dir.path()), "--osv", "/no/such/place"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn the_bill_of_materials_is_the_same_in_every_run_and_shape() {
    let dir = tree();
    let file = dir.path().join("bom.cdx.json");
    let bom = || {
        let output = run(&[
            "assess",
            "--source",
            text(dir.path()),
            "--format",
            "cyclonedx",
            "-o",
            text(&file),
        ]);
        assert_eq!(fs::read(&file).unwrap(), output.stdout);
        output.stdout
    };
    let first = bom();
    assert_eq!(first, bom());
    let bom: Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(bom["specVersion"], "1.5");
    assert_eq!(bom["components"][0]["purl"], "pkg:npm/tar@6.1.0");
    assert_eq!(bom["dependencies"][0]["dependsOn"], json!(["pkg:npm/tar@6.1.0"]));
}

#[test]
fn licences_are_held_against_the_list_of_the_settings() {
    let dir = tree();
    let settings = dir.path().join("proofmark.toml");
    let judged = |list: &str| {
        fs::write(&settings, format!("[licences]\nallow = {list}\n")).unwrap();
        let flags = [
            "--source",
            text(dir.path()),
            "--settings",
            text(&settings),
            "--only",
            "supply_chain/licences-allowed",
        ];
        let found = assess(&flags, &[]);
        found.findings().map(|f| f["outcome"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(judged(r#"["ISC"]"#), ["pass"]);
    assert_eq!(judged(r#"["MIT"]"#), ["fail"]);
    fs::write(&settings, "[licences]\nallow = []\n").unwrap();
    let refused = run(&["assess", "--source", text(dir.path()), "--settings", text(&settings)]);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(stderr.contains("proofmark.toml:2: `allow` names no licence"), "{stderr}");
}

#[test]
fn modules_that_nothing_was_seen_of_do_not_pass() {
    let found = assess_mode("good", &["--passive", "--only", "policy"]);
    assert_eq!(status(&found, "aup-compliance"), "PASS");
    assert_eq!(status(&found, "functionality"), "NOT RUN");
    assert_eq!(status(&found, "manifest-validation"), "NOT RUN");
}
