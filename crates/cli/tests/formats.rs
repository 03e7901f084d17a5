//! Every format, written by the binary and read by validators that other people made.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{assess_mode, proofmark, run};
use serde_json::Value;

const FILES: [&str; 13] = [
    "r.json",
    "r.md",
    "r.sarif",
    "r.xml",
    "r.csv",
    "r.svg",
    "r.badge.json",
    "r.directory.json",
    "r.enterprise.json",
    "test_report_demo.json",
    "r.cdx.json",
    "r.txt",
    "r.ansi",
];

/// A server whose every text tries to be more than text.
const HOSTILE: &str = r#"
import json, sys
TEXT = "=cmd() <script>alert(1)</script> </details> ![x](http://127.0.0.1/p) [a](1) {0} ]]> --> `c` | @all \u001b[31m \u202e\r\n# h"
TOOL = {"name": TEXT, "description": TEXT, "inputSchema": {"type": "object", "properties": {TEXT: {"type": "string", "description": TEXT}}}}
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"jsonrpc": "2.0", "id": m["id"]}
    method = m.get("method")
    if method == "initialize":
        r["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": TEXT, "version": TEXT}, "instructions": TEXT}
    elif method == "tools/list": r["result"] = {"tools": [TOOL]}
    elif method == "tools/call": r["result"] = {"content": [{"type": "text", "text": TEXT}], "isError": True}
    elif method == "ping": r["result"] = {}
    else: r["error"] = {"code": -32601, "message": TEXT}
    print(json.dumps(r), flush=True)
"#;

/// All files of one run of this built-in server, and how it ended.
fn written(mode: &str, dir: &Path) -> i32 {
    let mut args = vec!["assess".to_owned(), "--quiet".to_owned()];
    for file in FILES {
        args.extend(["-o".to_owned(), dir.join(file).display().to_string()]);
    }
    args.push("--".to_owned());
    match mode {
        "hostile" => {
            let server = dir.join("server.py");
            fs::write(&server, HOSTILE).expect("can be written");
            args.extend(["python3".to_owned(), server.display().to_string()]);
        }
        mode => args.extend([proofmark(), "serve", mode].map(str::to_owned)),
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    run(&args).status.code().unwrap_or(-1)
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("the file was written");
    serde_json::from_str(&text).expect("it is JSON")
}

fn validators() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/validators");
    assert!(
        dir.join("stamp").is_file(),
        "the validators are not installed: run scripts/validators first (./test does)"
    );
    dir
}

/// Runs a few lines of Python over a file of ours and one of theirs.
fn agree(script: &str, schema: &Path, file: &Path) {
    let python = validators().join("venv/bin/python");
    let output = Command::new(python).arg("-c").arg(script).arg(schema).arg(file).output();
    let output = output.expect("python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", file.display());
}

const JSON_SCHEMA: &str = "import json,sys,jsonschema\nschema=json.load(open(sys.argv[1]))\n\
    cls=jsonschema.validators.validator_for(schema)\ncls.check_schema(schema)\n\
    cls(schema).validate(json.load(open(sys.argv[2])))";
const XML_SCHEMA: &str =
    "import sys,xmlschema\nxmlschema.XMLSchema(sys.argv[1]).validate(sys.argv[2])";
const WELL_FORMED: &str = "import sys,xml.dom.minidom as d\nd.parse(sys.argv[2])";
const CYCLONEDX: &str = "import sys\nfrom cyclonedx.schema import SchemaVersion\n\
    from cyclonedx.validation.json import JsonStrictValidator\n\
    wrong=JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[2]).read())\n\
    assert wrong is None, wrong";
/// What shields.io documents for an endpoint: these keys, and no others.
const SHIELD: &str = "import json,re,sys\nbadge=json.load(open(sys.argv[2]))\n\
    assert {'schemaVersion','label','message'}<=set(badge)<={'schemaVersion','label','message','color','isError'}, badge\n\
    assert badge['schemaVersion']==1 and badge['label'] and badge['message'], badge\n\
    assert re.fullmatch('[0-9a-f]{3}|[0-9a-f]{6}|[a-z]+', badge['color']), badge";
const CSV: &str = "import sys,csv\nrows=list(csv.DictReader(open(sys.argv[2],newline='')))\n\
    assert rows and all(len(r)==14 and None not in r and None not in r.values() for r in rows)";

#[test]
fn every_format_is_what_other_people_take_it_for() {
    let theirs = validators();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    // A plain server, one whose texts are hostile, and one that never comes up.
    for mode in ["demo", "hostile", "missing-key"] {
        let dir = tempfile::tempdir().expect("a directory");
        written(mode, dir.path());
        let file = |name: &str| dir.path().join(name);
        agree(JSON_SCHEMA, &theirs.join("sarif-2.1.0.json"), &file("r.sarif"));
        agree(XML_SCHEMA, &theirs.join("junit-10.xsd"), &file("r.xml"));
        agree(JSON_SCHEMA, &docs.join("report.schema.json"), &file("r.json"));
        agree(WELL_FORMED, &docs, &file("r.svg"));
        agree(CSV, &docs, &file("r.csv"));
        agree(CYCLONEDX, &docs, &file("r.cdx.json"));
        agree(SHIELD, &docs, &file("r.badge.json"));
    }
}

/// Licences, names and versions that nobody should have written.
const ODD_LOCK: &str = r#"{"lockfileVersion": 3, "packages": {
    "node_modules/a": {"version": "6.1.0", "license": "(MIT OR Apache-2.0)"},
    "node_modules/b/node_modules/a": {"version": "6.1.0", "license": "ISC", "dev": true},
    "node_modules/@s/c": {"version": "1.0.0", "license": "SEE LICENSE IN <script>"},
    "node_modules/d \u00e9\u202e\n": {"version": "1 0 ]]>", "license": ""},
    "node_modules/e": {"version": "file:../x", "license": {"type": "mit*"}, "hasInstallScript": true}}}"#;

#[test]
fn a_bill_of_materials_is_one_for_the_people_of_cyclonedx() {
    let locks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/locks");
    let real = ["npm/package-lock.json", "pnpm/pnpm-lock.yaml", "yarn-4/yarn.lock", "uv/uv.lock"];
    let read = |path: &&str| fs::read_to_string(locks.join(path)).expect("a fixture");
    let mut trees: Vec<(&str, String)> =
        real.iter().map(|path| (path.rsplit('/').next().unwrap_or(path), read(path))).collect();
    trees.push(("package-lock.json", ODD_LOCK.to_owned()));
    for (name, text) in trees {
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join(name), text).expect("can be written");
        fs::write(dir.path().join("server.py"), "from mcp.server.fastmcp import FastMCP\n")
            .expect("can be written");
        let bom = dir.path().join("r.cdx.json");
        let (source, file) = (dir.path().display().to_string(), bom.display().to_string());
        run(&["assess", "--static", "--source", &source, "--quiet", "-o", &file]);
        assert!(json(&bom)["components"].as_array().is_some_and(|c| c.len() > 3), "{name}");
        agree(CYCLONEDX, &locks, &bom);
    }
}

#[test]
fn the_action_and_the_workflow_are_what_the_forge_takes() {
    let theirs = validators();
    let dir = tempfile::tempdir().expect("a directory");
    let place = dir.path().display().to_string();
    run(&["init", "--dir", &place, "--action", "./tools/proofmark", "--", "node", "index.js"]);
    let workflow = dir.path().join(".github/workflows/proofmark.yml");
    let text = fs::read_to_string(&workflow).expect("written");
    assert!(text.contains("- uses: ./tools/proofmark\n"), "{text}");
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action.yml");
    for (schema, file) in [("vendor.github-actions", action), ("vendor.github-workflows", workflow)]
    {
        let output = Command::new(theirs.join("venv/bin/check-jsonschema"))
            .args(["--builtin-schema", schema])
            .arg(&file)
            .output()
            .expect("it starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}: {said}", file.display());
    }
}

#[test]
fn every_file_is_written_in_one_run_and_says_the_same() {
    let dir = tempfile::tempdir().expect("a directory");
    let code = written("demo", dir.path());
    let report = json(&dir.path().join("r.json"));
    assert_eq!(code == 0, report["level"] == "PASS");
    let directory = json(&dir.path().join("r.directory.json"));
    assert_eq!(directory["overallAssessment"]["score"], report["score"]);
    for key in ["categoryBreakdown", "complianceStatus", "recommendations"] {
        assert!(directory.get(key).is_some(), "{key}");
    }
    let enterprise = json(&dir.path().join("r.enterprise.json"));
    for key in ["overallAssessment", "riskAssessment", "complianceMatrix", "performanceBenchmarks"]
    {
        assert!(enterprise.get(key).is_some(), "{key}");
    }
    let failed = report["findings"].as_array().expect("findings").iter();
    let failed = failed.filter(|f| f["outcome"] == "fail").count();
    let sarif = json(&dir.path().join("r.sarif"));
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(failed));
    let shield = json(&dir.path().join("r.badge.json"));
    assert_eq!((&shield["schemaVersion"], &shield["label"]), (&1.into(), &"proofmark".into()));
    let tests = json(&dir.path().join("test_report_demo.json"));
    assert!(tests["total_cases"].as_u64().is_some_and(|n| n > 0), "{tests}");
    let text = fs::read_to_string(dir.path().join("r.md")).expect("written");
    assert!(text.starts_with("<!-- proofmark report -->\n### Proofmark: "), "{text}");
}

#[test]
fn the_same_run_gives_the_same_bytes_in_every_format() {
    let dir = tempfile::tempdir().expect("a directory");
    let evidence = dir.path().join("run.json.zst");
    let kept = evidence.to_str().expect("a plain path");
    assess_mode("demo", &["--evidence", kept]);
    for format in ["markdown", "sarif", "junit", "csv", "badge", "shields", "test-report"] {
        let print = || run(&["score", kept, "--format", format]).stdout;
        let first = print();
        assert!(!first.is_empty() && first == print(), "{format}");
    }
}

#[test]
fn a_format_can_be_named_where_the_file_name_says_another() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("results.json");
    let named = format!("sarif={}", file.display());
    assess_mode("demo", &["--only", "usability", "-o", &named]);
    assert_eq!(json(&file)["version"], "2.1.0");
}
