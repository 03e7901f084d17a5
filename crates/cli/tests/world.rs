//! The world that tools meet: the user's folders as copies, and pages that can be fetched.
#![expect(
    clippy::expect_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::assess;
use serde_json::Value;

/// A folder of the user's, outside every temporary directory, with some history.
fn project() -> PathBuf {
    let name = format!("project-{}", std::process::id());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("chapters")).expect("a folder can be made");
    fs::write(dir.join("thesis.md"), "# Years of work\n").expect("a file can be written");
    fs::write(dir.join("chapters/one.md"), "It began.\n").expect("a file can be written");
    std::os::unix::fs::symlink("thesis.md", dir.join("latest")).expect("a link can be made");
    dir.canonicalize().expect("it exists")
}

/// Everything in a folder: content, kind and times.
fn contents(dir: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).expect("it can be read").flatten() {
        let path = entry.path();
        let meta = path.symlink_metadata().expect("it is there");
        let modified = meta.modified().expect("files have times");
        if meta.is_dir() {
            found.extend(contents(&path));
            found.insert(path, (Vec::new(), modified));
        } else {
            let bytes = fs::read(&path).expect("it can be read");
            found.insert(path, (bytes, modified));
        }
    }
    found
}

fn run(dir: &Path, evidence: &str) -> Value {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(evidence);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world/server.py");
    let flags = ["--seed", "5", "--evidence", file.to_str().expect("a plain path")];
    let ran = assess(&flags, &["python3", script, dir.to_str().expect("a plain path")]);
    assert_eq!(ran.startup(), "up", "{}", ran.stderr);
    let text = fs::read_to_string(&file).expect("evidence was written");
    serde_json::from_str(&text).expect("evidence is JSON")
}

fn results<'a>(evidence: &'a Value, tool: &'a str) -> impl Iterator<Item = &'a Value> {
    let all = evidence["transcript"].as_array().expect("there is a transcript");
    all.iter()
        .filter(move |x| x["probe"] == "valid-call" && x["send"]["params"]["name"] == tool)
        .map(|x| &x["reply"]["value"])
}

#[test]
fn a_server_writes_to_the_users_folder_fetches_pages_and_the_folder_stays_as_it_was() {
    let dir = project();
    let before = contents(&dir);
    let evidence = run(&dir, "world.json");
    assert_eq!(contents(&dir), before, "nothing of the user's may change");
    if evidence["conditions"]["isolation"]["level"] != "namespaces" {
        return;
    }
    for tool in ["write_file", "read_file", "fetch_page"] {
        let all: Vec<&Value> = results(&evidence, tool).collect();
        assert!(!all.is_empty(), "{tool} was not called");
        assert!(all.iter().all(|r| r["isError"] == false), "{tool}: {all:?}");
    }
    let shown = dir.display().to_string();
    let effects = evidence["effects"].as_array().expect("effects are listed");
    let created = |e: &&Value| {
        e["kind"] == "file_created" && e["path"].as_str().is_some_and(|p| p.starts_with(&shown))
    };
    assert!(effects.iter().any(|e| created(&e)), "{effects:?}");
    let notes = evidence["conditions"]["isolation"]["notes"].to_string();
    assert!(notes.contains(&format!("writes to {shown} go to a copy")), "{notes}");
    let page = results(&evidence, "fetch_page").next().expect("it was called");
    assert!(page.to_string().contains("Park Notes"), "{page}");
    let visits = evidence["visits"].as_array().expect("visits are listed");
    assert!(visits.iter().any(|v| v["method"] == "GET" && v["path"] == "/"), "{visits:?}");
    let base = evidence["conditions"]["content"].as_str().expect("there are pages");
    assert!(evidence["transcript"].to_string().contains(base));
    assert!(!evidence.to_string().contains("127.0.0.1:"), "the port differs in every run");
    fs::remove_dir_all(&dir).expect("it can be removed");
}

#[test]
fn a_server_that_makes_its_store_anew_at_every_start_keeps_the_one_it_has() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fresh-store.json");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world/fresh_store.py");
    let flags = ["--seed", "5", "--evidence", file.to_str().expect("a plain path")];
    let ran = assess(&flags, &["python3", script, "{workspace}"]);
    assert_eq!(ran.startup(), "up", "{}", ran.stderr);
    let text = fs::read_to_string(&file).expect("evidence was written");
    let evidence: Value = serde_json::from_str(&text).expect("evidence is JSON");
    let links = evidence["links"].as_array().expect("further connections were opened");
    assert!(links.len() >= 4, "a process for each revision: {links:?}");
    let calls = evidence["transcript"].as_array().expect("there is a transcript");
    let added = calls.iter().filter(|x| x["reply"].to_string().contains("added")).count();
    assert!(added > 10, "{added} notes were added");
    assert!(!text.contains("the store was replaced"), "another process took it away");
}
