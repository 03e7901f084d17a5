//! `assess --static --source`: a tree is read, nothing is started.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;

use assert_cmd::Command;

fn proofmark(args: &[&str]) -> (i32, String, String) {
    let run = Command::cargo_bin("proofmark").unwrap().args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code().unwrap_or(-1), text(&run.stdout), text(&run.stderr))
}

#[test]
fn a_static_run_says_so_and_names_lines() {
    let dir = tempfile::tempdir().unwrap();
    let code = "from mcp.server.fastmcp import FastMCP\nimport os\nmcp = FastMCP('x')\n\n@mcp.tool()\ndef run(line: str):\n    os.system(line)\n";
    fs::write(dir.path().join("server.py"), code).unwrap();
    fs::write(dir.path().join("README.md"), "# X\n").unwrap();
    let source = dir.path().to_str().unwrap();
    let (code, shown, said) = proofmark(&["assess", "--static", "--source", source, "--verbose"]);
    assert_eq!(code, 1, "{said}");
    assert!(shown.contains("static only"), "{shown}");
    assert!(shown.contains("server.py:7"), "{shown}");
    let json = ["assess", "--static", "--source", source, "--format", "json", "-q"];
    let report: serde_json::Value = serde_json::from_str(&proofmark(&json).1).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let flow = findings.iter().find(|f| f["check"] == "security/input-in-source").unwrap();
    assert_eq!(
        (flow["standing"].as_str(), flow["class"].as_str()),
        (Some("suspected"), Some("command_injection"))
    );
    let ran = findings.iter().filter(|f| f["check"] == "security/command-injection");
    assert!(ran.into_iter().all(|f| f["outcome"] == "unseen"), "what was not run did not pass");
}

#[test]
fn a_tree_without_a_server_can_not_be_assessed() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("main.py"), "print('hello')\n").unwrap();
    let (code, _, said) =
        proofmark(&["assess", "--static", "--source", dir.path().to_str().unwrap()]);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("there is no MCP server in"), "{said}");
    assert!(said.contains("1 file"), "{said}");
}

#[test]
fn static_and_a_command_do_not_go_together() {
    let (code, _, said) = proofmark(&["assess", "--static", "--source", ".", "--", "true"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--static starts nothing"), "{said}");
}
