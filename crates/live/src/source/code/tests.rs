use std::fs;
use std::path::Path;

use proofmark_core::event::nobody;
use proofmark_core::evidence::{Code, HabitKind, Language, LeftOut};
use proptest::prelude::*;

use super::facts::{self, Facts};
use super::{interest, read, walk};

mod followed;

fn facts_of(path: &str, language: Language, text: &str) -> Facts {
    facts::of(path, Some(language), text).unwrap()
}

/// `subject class call` of every flow.
fn flows(path: &str, language: Language, text: &str) -> Vec<String> {
    let facts = facts_of(path, language, text);
    facts.flows.iter().map(|f| format!("{} {} {}", f.subject, f.class, f.call)).collect()
}

fn tools(path: &str, language: Language, text: &str) -> Vec<String> {
    let facts = facts_of(path, language, text);
    facts.tools.iter().map(|t| format!("{}:{}", t.name, t.at.line)).collect()
}

#[test]
fn tools_of_fastmcp_are_followed_to_their_sinks() {
    let text = r#"
from mcp.server.fastmcp import FastMCP, Context
import subprocess, sqlite3
mcp = FastMCP("x")

@mcp.tool()
async def count(file: str, n: int, ctx: Context) -> str:
    line = f"head -n {n} {file}"
    return subprocess.run(line, shell=True, capture_output=True).stdout

@mcp.tool(name="find-note")
def find(word: str) -> list:
    return sqlite3.connect("x").execute("SELECT * FROM notes WHERE t = '" + word + "'").fetchall()

@mcp.tool
def bound(word: str) -> list:
    return sqlite3.connect("x").execute("SELECT * FROM notes WHERE t = ?", (word,)).fetchall()
"#;
    assert_eq!(tools("s.py", Language::Python, text), ["bound:16", "count:7", "find-note:12"]);
    assert_eq!(
        flows("s.py", Language::Python, text),
        [
            "count /file command_injection subprocess.run",
            "count /file path_traversal subprocess.run",
            "find-note /word sql_injection sqlite3.connect().execute"
        ]
    );
}

#[test]
fn a_dispatcher_is_split_by_the_names_it_asks_for() {
    let text = r#"
import os
from mcp.server import Server
import mcp.types as types
server = Server("x")

@server.list_tools()
async def list_tools():
    return [types.Tool(name="run", inputSchema={}), types.Tool(name="show", inputSchema={})]

@server.call_tool()
async def call_tool(name, arguments):
    if name == "run":
        os.system(arguments["line"])
    elif name == "show":
        path = arguments.get("path")
        with open(path) as file:
            return file.read()
"#;
    assert_eq!(tools("s.py", Language::Python, text), ["run:9", "show:9"]);
    assert_eq!(
        flows("s.py", Language::Python, text),
        ["run /line command_injection os.system", "show /path path_traversal open"]
    );
}

#[test]
fn what_the_code_checks_is_not_suspected() {
    let text = r#"
import os, re
from pathlib import Path
ROOT = Path("/srv").resolve()

@mcp.tool()
def one_of(column: str):
    if column not in ("a", "b"):
        raise ValueError
    return db.execute(f"SELECT * FROM t ORDER BY {column}")

@mcp.tool()
def below(path: str):
    full = (ROOT / path).resolve()
    if not full.is_relative_to(ROOT):
        raise ValueError
    return full.read_text()

@mcp.tool()
def unresolved(path: str):
    if not path.startswith("/srv"):
        raise ValueError
    return open(path).read()

@mcp.tool()
def number(text: str):
    return eval(str(int(text)))
"#;
    assert_eq!(flows("s.py", Language::Python, text), ["unresolved /path path_traversal open"]);
}

#[test]
fn handlers_of_the_typescript_sdk_are_followed() {
    let text = r#"
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { exec } from "child_process";
import * as fs from "fs";
const TOOLS = [{ name: "read", description: "x", inputSchema: {} }];
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const { name, arguments: args } = request.params;
  switch (name) {
    case "read": {
      return fs.readFileSync(args.path as string, "utf8");
    }
    case "run":
      exec(`ls ${args.dir}`);
  }
});
"#;
    assert_eq!(tools("s.ts", Language::Typescript, text), ["read:5"]);
    assert_eq!(
        flows("s.ts", Language::Typescript, text),
        [
            "read /path path_traversal fs.readFileSync",
            "run /dir command_injection child_process.exec"
        ]
    );
}

#[test]
fn go_and_rust_servers_are_read() {
    let go = r#"
package main
import ("os/exec"; "os"; "github.com/mark3labs/mcp-go/mcp")
func main() {
	tool := mcp.NewTool("run", mcp.WithString("line"))
	s.AddTool(tool, run)
	s.AddTool(mcp.NewTool("read"), func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		path, _ := request.RequireString("path")
		data, err := os.ReadFile(path)
		return nil, err
	})
}
func run(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	line := request.GetString("line", "")
	out, err := exec.Command("sh", "-c", line).Output()
	return nil, err
}
"#;
    assert_eq!(tools("main.go", Language::Go, go), ["read:7", "run:5"]);
    assert_eq!(
        flows("main.go", Language::Go, go),
        ["read /path path_traversal os.ReadFile", "run /line command_injection exec.Command"]
    );
    let rust = r#"
use rmcp::tool;
impl Desk {
    #[tool(description = "Reads a note")]
    async fn read_note(&self, Parameters(request): Parameters<Request>) -> String {
        std::fs::read_to_string(format!("notes/{}", request.file)).unwrap_or_default()
    }
}
"#;
    assert_eq!(tools("lib.rs", Language::Rust, rust), ["read_note:5"]);
    let found = flows("lib.rs", Language::Rust, rust);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("path_traversal std.fs.read_to_string"), "{found:?}");
}

#[test]
fn variables_and_habits_have_their_lines() {
    let text = "import os\nfrom mcp.server.fastmcp import FastMCP\nKEY = os.environ[\"NOTES_KEY\"]\nURL = os.getenv('NOTES_URL', 'x')\nprint('hi')\nrequests.get(u, verify=False)\nuvicorn.run(app, host='0.0.0.0', debug=True)\nP = '/Users/ann/x'\nmcp.run()\n";
    let facts = facts_of("s.py", Language::Python, text);
    let names: Vec<String> =
        facts.variables.iter().map(|v| format!("{}:{}", v.name, v.at.line)).collect();
    assert_eq!(names, ["NOTES_KEY:3", "NOTES_URL:4"]);
    let kinds: Vec<(HabitKind, u32)> = facts.habits.iter().map(|h| (h.kind, h.at.line)).collect();
    assert_eq!(
        kinds,
        [
            (HabitKind::BindsEverywhere, 7),
            (HabitKind::DebugMode, 7),
            (HabitKind::TlsUnverified, 6),
            (HabitKind::PrintsToStdout, 5),
            (HabitKind::AbsolutePath, 8),
        ]
    );
}

#[test]
fn secrets_are_found_by_shape_and_placeholders_are_none() {
    let token = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD2fG4");
    let text = format!(
        "A = \"{token}\"\nAPI_KEY = \"YOUR_API_KEY_HERE_1\"\nkey = settings.apiKeyV2ForUsers9\n"
    );
    let facts = facts_of("s.py", Language::Python, &text);
    let found: Vec<(&str, u32)> =
        facts.secrets.iter().map(|s| (s.kind.as_str(), s.at.line)).collect();
    assert_eq!(found, [("GitHub token", 1)]);
    assert!(!format!("{:?}", facts.secrets).contains("aB3dE5"), "a secret must not be kept");
}

fn tree(dir: &Path) -> Code {
    read(dir, &nobody())
}

#[test]
fn odd_trees_are_harmless() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("src/node_modules/x")).unwrap();
    std::os::unix::fs::symlink(dir.path(), at("src/loop")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", at("src/passwd.py")).unwrap();
    fs::write(at("src/node_modules/x/index.js"), "eval(x)").unwrap();
    fs::write(at("src/binary.py"), b"\x00\x01\x02").unwrap();
    fs::write(at("src/latin.py"), b"x = '\xe9\xff'\n").unwrap();
    fs::write(at("src/bundle.js"), "x".repeat(900_000)).unwrap();
    fs::write(at("src/huge.py"), "x = 1\n".repeat(400_000)).unwrap();
    fs::write(at("src/server.py"), "@mcp.tool()\ndef add(a: int): pass\n").unwrap();
    let code = tree(dir.path());
    assert_eq!(code.files.get(&Language::Python), Some(&2), "{code:?}");
    let left: Vec<(LeftOut, u32)> = code.left_out.into_iter().collect();
    assert_eq!(left, [(LeftOut::Generated, 1), (LeftOut::TooLarge, 1), (LeftOut::NotText, 1)]);
    assert_eq!(code.tools.len(), 1);
}

#[test]
fn build_output_counts_where_there_is_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("dist")).unwrap();
    fs::write(dir.path().join("dist/index.js"), "server.tool('a', () => 1)\n").unwrap();
    assert_eq!(tree(dir.path()).tools.len(), 1);
    fs::write(dir.path().join("index.js"), "server.tool('b', () => 1)\n").unwrap();
    let tools = tree(dir.path()).tools;
    assert_eq!(tools.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn files_that_are_passed_over_would_have_told_nothing() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut passed_over = 0;
    for file in walk::tree(&crates).files {
        let (Some(language), Ok(text)) = (file.language, fs::read_to_string(&file.path)) else {
            continue;
        };
        if !interest::any(&text) && !interest::speaks_stdio(&text) {
            passed_over += 1;
            let facts = facts::parsed(&file.name, language, Facts::default(), &text).unwrap();
            assert_eq!(format!("{facts:?}"), format!("{:?}", Facts::default()), "{}", file.name);
        }
    }
    assert!(passed_over > 20, "{passed_over}");
}

#[test]
fn the_same_tree_gives_the_same_facts() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbed/samples/python");
    assert_eq!(tree(&samples), tree(&samples));
}

const LANGUAGES: [Language; 5] =
    [Language::Python, Language::Javascript, Language::Typescript, Language::Go, Language::Rust];

#[test]
fn deep_nesting_ends() {
    for language in LANGUAGES {
        for (open, close) in [("(", ")"), ("[", "]"), ("f(", ")"), ("{", "}"), ("a.b(", "")] {
            let body = format!("{}x{}", open.repeat(6_000), close.repeat(6_000));
            let lines: String =
                body.as_bytes().chunks(5_000).map(|c| String::from_utf8_lossy(c) + "\n").collect();
            let text = format!(
                "@mcp.tool()\ndef f(x):\n  return {lines}\nserver.tool('f', (x) => {lines})\n"
            );
            // Reading it is the test; whether it is left out is not.
            let worker = std::thread::Builder::new().stack_size(super::STACK);
            let done = worker.spawn(move || facts::of("s", Some(language), &text).is_ok());
            assert!(done.unwrap().join().is_ok());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_text_makes_a_parser_panic(text in "(?s).{0,400}") {
        for language in LANGUAGES {
            let _ = facts::of("s", Some(language), &text);
        }
    }

    #[test]
    fn broken_code_makes_no_parser_panic(from in 0usize..4000, len in 0usize..600, put in "[\\[({\"'`$\\\\:é\n]{0,6}") {
        const SAMPLES: [(&str, Language); 3] = [
            (include_str!("../../../../testbed/samples/python/library_catalogue.py"), Language::Python),
            (include_str!("../../../../testbed/samples/node/build-helper.js"), Language::Javascript),
            (include_str!("../../../../testbed/samples/typescript/field-office.ts"), Language::Typescript),
        ];
        for (whole, language) in SAMPLES {
            let kept: String = whole.chars().take(from).chain(put.chars()).chain(whole.chars().skip(from + len)).collect();
            let _ = facts::of("s", Some(language), &kept);
        }
    }
}
