//! Evidence files: round trips, and the errors for files that are cut, damaged or not ours.
#![expect(
    clippy::expect_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

use std::fs;
use std::path::Path;

use proofmark_core::evidence::{
    ClientCapabilities, Conditions, Evidence, Isolation, IsolationLevel, Policy, Profile, Scope,
    Usage,
};
use proofmark_core::probe::Risk;
use proofmark_core::seed::Seed;
use proofmark_core::target::Target;
use proofmark_live::store::{check_writable, read_evidence, write_atomic, write_evidence};

fn evidence() -> Evidence {
    let target =
        Target::Http { url: "http://127.0.0.1:9/mcp".to_owned(), headers: Default::default() };
    let conditions = Conditions {
        seed: Seed(1),
        profile: Profile::Quick,
        transport: target.transport(),
        audit: target.audit_kind(),
        policy: Policy {
            passive: false,
            allow: Risk::Reads,
            allow_hostile: Risk::Reads,
            disposable: false,
        },
        scope: Scope::default(),
        isolation: Isolation { level: IsolationLevel::None, notes: Vec::new() },
        client: ClientCapabilities::ALL,
        pinned: None,
        call_timeout_ms: 10_000,
        max_calls: 100,
        max_time_ms: 60_000,
        concurrency: 1,
        canaries: Vec::new(),
        workspace: "WORKSPACE".to_owned(),
        content: None,
        fixtures: Default::default(),
        tokens: std::collections::BTreeSet::new(),
        baseline: None,
        licences: None,
        listens: Vec::new(),
        usage: Usage::default(),
    };
    let mut evidence = Evidence::begin(target, conditions);
    evidence.stderr = (0..500).map(|n| format!("line {n} of the server's log")).collect();
    evidence
}

fn error_of(path: &Path) -> String {
    read_evidence(path).expect_err("must not be readable").to_string()
}

#[test]
fn evidence_comes_back_as_it_was_written_plain_and_compressed() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["run.json", "run.json.zst", "run.ZST"] {
        let path = dir.path().join(name);
        write_evidence(&path, &evidence()).unwrap();
        assert_eq!(read_evidence(&path).unwrap(), evidence(), "{name}");
    }
    let plain = fs::metadata(dir.path().join("run.json")).unwrap().len();
    let packed = fs::metadata(dir.path().join("run.json.zst")).unwrap().len();
    assert!(packed * 3 < plain, "{packed} bytes packed, {plain} plain");
}

#[test]
fn compression_is_told_by_content_and_not_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let packed = dir.path().join("a.zst");
    write_evidence(&packed, &evidence()).unwrap();
    let renamed = dir.path().join("b.json");
    fs::rename(&packed, &renamed).unwrap();
    assert_eq!(read_evidence(&renamed).unwrap(), evidence());
}

#[test]
fn a_file_cut_short_is_told_with_the_byte() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["run.json", "run.json.zst"] {
        let path = dir.path().join(name);
        write_evidence(&path, &evidence()).unwrap();
        let bytes = fs::read(&path).unwrap();
        let half = bytes.len() / 2;
        fs::write(&path, &bytes[..half]).unwrap();
        let error = error_of(&path);
        assert!(error.contains(name), "{error}");
        assert!(error.contains(&format!("at byte {half}")), "{error}");
        assert!(error.contains("gather it again"), "{error}");
    }
}

#[test]
fn damaged_compressed_data_is_told_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.zst");
    write_evidence(&path, &evidence()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 20] {
        *byte ^= 0xff;
    }
    fs::write(&path, &bytes).unwrap();
    let error = error_of(&path);
    assert!(error.contains("run.zst"), "{error}");
}

#[test]
fn a_foreign_file_names_the_field_that_gives_it_away() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("package.json");
    fs::write(&path, r#"{"name": "not-ours"}"#).unwrap();
    assert!(error_of(&path).contains("field `schema` is missing"));
    fs::write(&path, "# a heading\n").unwrap();
    assert!(error_of(&path).contains("not JSON at line 1"));
    fs::write(&path, r#"{"schema": "proofmark.evidence/9.0"}"#).unwrap();
    assert!(error_of(&path).contains("proofmark.evidence/9.0"));
}

#[test]
fn a_missing_file_is_told_by_name() {
    let error = error_of(Path::new("/nowhere/run.json"));
    assert!(error.contains("can't read /nowhere/run.json: no such file"), "{error}");
}

#[test]
fn writing_replaces_the_old_content_and_leaves_nothing_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.json");
    write_atomic(&path, b"first").unwrap();
    write_atomic(&path, b"second").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_keeps_pointing_and_its_goal_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let goal = dir.path().join("goal.json");
    let link = dir.path().join("link.json");
    fs::write(&goal, "old").unwrap();
    std::os::unix::fs::symlink(&goal, &link).unwrap();
    write_atomic(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&goal).unwrap(), b"new");
}

#[test]
fn a_place_that_cannot_be_written_is_found_out_before() {
    let dir = tempfile::tempdir().unwrap();
    let error = check_writable(&dir.path().join("no/such/report.json")).unwrap_err().to_string();
    assert!(error.contains("there is no directory"), "{error}");
    let error = check_writable(dir.path()).unwrap_err().to_string();
    assert!(error.contains("it is a directory; name a file in it"), "{error}");
    check_writable(&dir.path().join("fine.json")).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "the trial leaves nothing behind");
}
