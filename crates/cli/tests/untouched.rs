//! After a run nothing has changed but the scratch area, whose changes the report lists, and nothing
//! was sent beyond this machine.
#![expect(
    clippy::expect_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use common::proofmark;
use serde_json::Value;

/// A home and a folder of somebody's, for one test.
struct Land {
    home: PathBuf,
    sentinel: PathBuf,
    evidence: PathBuf,
}

impl Land {
    fn new(name: &str) -> Land {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-land"));
        let _ = fs::remove_dir_all(&root);
        let (home, sentinel) = (root.join("home"), root.join("sentinel"));
        for dir in [home.join(".config"), sentinel.join("inner")] {
            fs::create_dir_all(dir).expect("a folder can be made");
        }
        fs::write(home.join(".config/settings"), "mine\n").expect("a file can be written");
        fs::write(sentinel.join("inner/letter.txt"), "Dear\n").expect("a file can be written");
        Land { home, sentinel, evidence: root.join("evidence.json") }
    }

    /// Size and time of everything there is.
    fn census(&self) -> BTreeMap<PathBuf, (u64, SystemTime)> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.home.clone(), self.sentinel.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("it can be read").flatten() {
                let meta = entry.path().symlink_metadata().expect("it is there");
                if meta.is_dir() {
                    folders.push(entry.path());
                }
                found.insert(entry.path(), (meta.len(), meta.modified().expect("has a time")));
            }
        }
        found
    }

    /// A standard run; the report and the evidence.
    fn assess(&self, command: &[&str]) -> (Value, Value) {
        let ran = Command::new(proofmark())
            .args(["assess", "--format", "json", "--quiet", "--disposable", "--evidence"])
            .arg(&self.evidence)
            .arg("--")
            .args(command)
            .env("HOME", &self.home)
            .output()
            .expect("the binary starts");
        let report = serde_json::from_slice(&ran.stdout).expect("there is a report");
        let evidence = fs::read(&self.evidence).expect("evidence was written");
        (report, serde_json::from_slice(&evidence).expect("evidence is JSON"))
    }
}

fn is_confined(evidence: &Value) -> bool {
    evidence["conditions"]["isolation"]["level"] == "namespaces"
}

/// The hosts of all addresses within a value.
fn hosts(value: &Value) -> Vec<String> {
    let text = value.to_string().to_lowercase();
    let after = text.split("://").skip(1).map(str::to_owned);
    let authority = |rest: String| {
        let end = rest.find(['/', '"', '?', '#', ' ', '\\', '<']).unwrap_or(rest.len());
        rest[..end].rsplit('@').next().unwrap_or_default().to_owned()
    };
    after.map(authority).filter(|host| host.contains('.')).collect()
}

/// Ours, this machine's, or a name that is reserved and leads nowhere.
fn stays_here(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or_default();
    let reserved =
        ["localhost", "example", "invalid", "test", "example.com", "example.org", "w3.org"];
    reserved.iter().any(|end| name == *end || name.ends_with(&format!(".{end}")))
        || name.starts_with("127.")
        || name.starts_with("0.")
}

#[test]
fn a_server_that_writes_everywhere_changes_nothing_and_no_call_names_a_far_host() {
    let land = Land::new("trespasser");
    let before = land.census();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world/trespasser.py");
    let [home, sentinel] = [&land.home, &land.sentinel].map(|p| p.display().to_string());
    let (report, evidence) = land.assess(&["python3", script, &home, &sentinel]);
    if !is_confined(&evidence) {
        return;
    }
    assert_eq!(land.census(), before, "something outside the scratch area changed");
    let changes = report["changes"].as_array().expect("changes are listed");
    let created = |c: &Value| c["kind"] == "file_created" && c["path"].is_string();
    assert!(changes.iter().any(created), "{changes:?}");
    let all = evidence["transcript"].as_array().expect("there is a transcript");
    let called = |x: &Value| x["send"]["params"]["name"] == "note_link";
    assert!(all.iter().any(called), "no link was sent");
    for exchange in all {
        let far: Vec<String> =
            hosts(&exchange["send"]).into_iter().filter(|h| !stays_here(h)).collect();
        assert!(far.is_empty(), "{far:?} in {}", exchange["send"]);
    }
}

#[test]
fn a_run_on_a_file_server_changes_nothing_but_its_copy() {
    let bin = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../target/servers/npm/node_modules/.bin/mcp-server-filesystem"
    );
    if !Path::new(bin).exists() {
        return;
    }
    let land = Land::new("files");
    let before = land.census();
    let sentinel = land.sentinel.display().to_string();
    let (report, evidence) = land.assess(&[bin, &sentinel]);
    if !is_confined(&evidence) {
        return;
    }
    assert_eq!(land.census(), before, "something of the user's changed");
    let changes = report["changes"].as_array().expect("changes are listed");
    assert!(changes.iter().any(|c| c["path"].as_str().is_some_and(|p| p.starts_with(&sentinel))));
}
