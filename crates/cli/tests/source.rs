//! `assess --static --source`: a tree is read, nothing is started.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;

use assert_cmd::Command;

const WELL_DOCUMENTED: &str = r#"# Sums

An MCP server that adds two numbers, for models that should not do so in their heads.

## Installation

```sh
uvx sums
```

## Configuration

```json
{"mcpServers": {"sums": {"command": "uvx", "args": ["sums"]}}}
```

## Tools

### add

Adds two numbers. Parameters: `a` (the first number), `b` (the second one).

```json
{"name": "add", "arguments": {"a": 1, "b": 2}}
```

It answers `3`. When a parameter is missing it answers with an error: `a is required`.

## Troubleshooting

- **The client shows no tools**: run `uvx sums` by hand and read its last line.
- **`a is required`**: both numbers must be given.

## License

MIT
"#;

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
fn the_exit_code_of_a_static_run_is_about_what_was_read() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write(
        "server.py",
        "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n\n@mcp.tool()\ndef add(a: int, b: int) -> int:\n    return a + b\n",
    );
    write("README.md", WELL_DOCUMENTED);
    write("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge\n");
    write("pyproject.toml", "[project]\nname = \"sums\"\nversion = \"1.0.0\"\nlicense = \"MIT\"\n");
    let source = dir.path().to_str().unwrap();
    let (code, shown, said) = proofmark(&["assess", "--static", "--source", source]);
    assert_eq!(code, 0, "{shown}{said}");
    assert!(shown.contains("static only"), "{shown}");
    let gated = ["assess", "--static", "--source", source, "-q", "--gate", "coverage>=50"];
    assert_eq!(proofmark(&gated).0, 1, "a gate may still ask for what was not seen");
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
