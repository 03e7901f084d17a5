//! Incremental runs through the binary: the same bytes, fewer calls, and no word withheld.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;

use common::{Assessed, assert_same, assess, assess_mode, run};
use serde_json::Value;

/// Two tools that read, and one that writes.
const SERVER: &str = r#"
import json, sys
def tool(name, says):
    return {"name": name, "description": says, "inputSchema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "description": "Which one."}}}}
TOOLS = [tool("get_city", "Returns a city."), tool("get_river", "Returns a river."), tool("save_city", "Saves a city.")]
for line in sys.stdin:
    m = json.loads(line)
    if not isinstance(m, dict) or "id" not in m: continue
    r = {"jsonrpc": "2.0", "id": m["id"]}
    method, params = m.get("method"), m.get("params") or {}
    if method == "initialize":
        r["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "places", "version": "1"}}
    elif method == "tools/list": r["result"] = {"tools": TOOLS}
    elif method == "ping": r["result"] = {}
    elif method == "tools/call":
        name = (params.get("arguments") or {}).get("name")
        good = isinstance(name, str) and name
        r["result"] = {"content": [{"type": "text", "text": f"found {name}" if good else "`name` has to be a text"}], "isError": not good}
    else: r["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(r), flush=True)
"#;

fn server(dir: &Path, text: &str) -> String {
    fs::write(dir.join("pyproject.toml"), "[project]\nname = 'places'\n").expect("written");
    let script = dir.join("server.py");
    fs::write(&script, text).expect("written");
    script.display().to_string()
}

/// Without what tells the runs apart.
fn bare(assessed: &Assessed) -> Value {
    let mut report = assessed.timeless();
    report.as_object_mut().expect("a report").remove("reuse");
    report
}

fn number(assessed: &Assessed, key: &str) -> u64 {
    assessed.report["reuse"][key].as_u64().expect("a number")
}

#[test]
fn nothing_changed_gives_the_same_report_with_fewer_calls() {
    let dir = tempfile::tempdir().expect("a directory");
    let kept = dir.path().join("cache/run.json.zst").display().to_string();
    let again = || assess_mode("demo", &["--only", "errors", "--incremental", &kept]);
    let first = again();
    assert_eq!(first.report.get("reuse"), None, "there was nothing to take over");
    let second = again();
    assert!(number(&second, "reused") > 0, "{}", second.report["reuse"]);
    assert_same(&bare(&first), &bare(&second), "second run");
    let third = again();
    assert_eq!(third.report["reuse"], second.report["reuse"]);
}

#[test]
fn a_changed_tool_is_asked_anew_and_so_is_every_attack() {
    let dir = tempfile::tempdir().expect("a directory");
    let kept = dir.path().join(".proofmark/run.json.zst").display().to_string();
    let script = server(dir.path(), SERVER);
    let flags = ["--only", "errors", "--only", "security", "--incremental", &kept];
    let again = || assess(&flags, &["python3", &script]);
    let first = again();
    let same = again();
    assert_eq!(same.report["reuse"]["attacks"], true, "{}", same.stderr);
    assert_same(&bare(&first), &bare(&same), "the same program");
    server(dir.path(), &SERVER.replace("Returns a river.", "Returns a river by name."));
    let changed = again();
    let reuse = &changed.report["reuse"];
    assert_eq!((&reuse["attacks"], &reuse["changed"][0]), (&false.into(), &"get_river".into()));
    assert!(reuse["changed"][1].is_null() && number(&changed, "reused") > 0, "{reuse}");
    assert!(number(&changed, "reused") < number(&same, "reused"), "{reuse}");
    let text = String::from_utf8(run(&["score", &kept]).stdout).expect("text");
    assert!(text.contains("incremental: ") && text.contains("changed: get_river"), "{text}");
}

#[test]
fn a_file_that_is_of_no_use_costs_time_and_not_the_run() {
    let dir = tempfile::tempdir().expect("a directory");
    let kept = dir.path().join("run.json");
    fs::write(&kept, "{\"half\": ").expect("written");
    let file = kept.display().to_string();
    let flags = ["--only", "errors/unknown-tool", "--incremental", &file];
    assert_eq!(assess_mode("demo", &flags).report.get("reuse"), None);
    let other = assess_mode("demo", &[&flags[..], &["--seed", "7"]].concat());
    let why = other.report["reuse"]["unlike"].as_str().expect("a reason");
    assert!(why.contains("the seed") && number(&other, "reused") == 0, "{why}");
    let named = run(&["assess", "--incremental", "cache", "--", "true"]);
    assert_eq!(named.status.code(), Some(2));
}
