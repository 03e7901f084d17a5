//! Running the binary as a user would, and reading what it says.

#![allow(dead_code, reason = "each test binary uses a part of this")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// The binary under test.
pub(crate) fn proofmark() -> &'static str {
    env!("CARGO_BIN_EXE_proofmark")
}

pub(crate) fn run(args: &[&str]) -> Output {
    Command::new(proofmark()).args(args).output().expect("the binary starts")
}

/// What one assessment came to.
pub(crate) struct Assessed {
    pub(crate) report: Value,
    /// The report as printed.
    pub(crate) bytes: Vec<u8>,
    pub(crate) code: i32,
    pub(crate) stderr: String,
}

/// `proofmark assess --format json --quiet FLAGS -- COMMAND`.
pub(crate) fn assess(flags: &[&str], command: &[&str]) -> Assessed {
    let mut args = vec!["assess", "--format", "json", "--quiet"];
    args.extend(flags);
    if !command.is_empty() {
        args.push("--");
        args.extend(command);
    }
    let output = run(&args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("no JSON report for {args:?}: {e}\n{stderr}"));
    Assessed { report, bytes: output.stdout, code: output.status.code().unwrap_or(-1), stderr }
}

/// A built-in server over stdio.
pub(crate) fn assess_mode(mode: &str, flags: &[&str]) -> Assessed {
    assess(flags, &[proofmark(), "serve", mode])
}

impl Assessed {
    pub(crate) fn level(&self) -> &str {
        self.report["level"].as_str().unwrap_or_default()
    }

    pub(crate) fn coverage(&self) -> f64 {
        self.report["coverage"].as_f64().unwrap_or(-1.0)
    }

    pub(crate) fn findings(&self) -> impl Iterator<Item = &Value> {
        self.report["findings"].as_array().into_iter().flatten()
    }

    /// Failing findings that count, of one check.
    pub(crate) fn failures(&self, check: &str) -> Vec<&Value> {
        self.findings()
            .filter(|f| {
                f["check"] == check && f["outcome"] == "fail" && f["standing"] != "suspected"
            })
            .collect()
    }

    pub(crate) fn unseen(&self) -> usize {
        self.findings().filter(|f| f["outcome"] == "unseen").count()
    }

    /// The cause why the server did not come up, or `up`.
    pub(crate) fn startup(&self) -> String {
        let startup = &self.report["startup"];
        match startup["kind"].as_str() {
            Some("down") => startup["cause"].as_str().unwrap_or_default().to_owned(),
            kind => kind.unwrap_or_default().to_owned(),
        }
    }

    /// The report without the fields that depend on the clock.
    pub(crate) fn timeless(&self) -> Value {
        let mut report = self.report.clone();
        strip(&mut report);
        report
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in ["timings", "latency_ms", "measure", "took"] {
                map.remove(key);
            }
            map.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Equal, or a panic that names the lines that differ instead of two whole reports.
pub(crate) fn assert_same(a: &Value, b: &Value, what: &str) {
    let text = |v: &Value| serde_json::to_string_pretty(v).expect("a value prints");
    let (a, b) = (text(a), text(b));
    let differing: Vec<String> = a
        .lines()
        .zip(b.lines())
        .filter(|(x, y)| x != y)
        .take(10)
        .map(|(x, y)| format!("- {x}\n+ {y}"))
        .collect();
    assert!(a == b, "{what}: the reports differ:\n{}", differing.join("\n"));
}

/// The first exchanges in which two evidence files differ by more than digits and letters of hashes:
/// the digest of a run says only that something did.
pub(crate) fn differing(one: &str, other: &str) -> String {
    let exchanges = |path: &str| {
        let text = std::fs::read(path).expect("the evidence was kept");
        let evidence: Value = serde_json::from_slice(&text).expect("evidence is JSON");
        let asked = evidence["transcript"].as_array().into_iter().flatten();
        let untimed = asked.filter(|x| x["oracle"]["kind"] != "timing");
        let lines = untimed.map(|x| {
            let seen = json!([x["id"], x["probe"], x["label"], x["on"], x["send"], x["reply"]]);
            let text = seen.to_string();
            text.replace(|c: char| c.is_ascii_digit() || ('a'..='f').contains(&c), "")
        });
        lines.collect::<Vec<String>>()
    };
    let (one, other) = (exchanges(one), exchanges(other));
    let cut = |line: &String| line.chars().take(1_000).collect::<String>();
    let pairs = one.iter().zip(&other).filter(|(a, b)| a != b).take(3);
    pairs.map(|(a, b)| format!("- {}\n+ {}\n", cut(a), cut(b))).collect()
}

/// Processes that carry this marker in their environment: what a run left behind.
pub(crate) fn left_behind(marker: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc is there").flatten() {
        let environ = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if environ.windows(marker.len()).any(|w| w == marker.as_bytes()) {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found.push(String::from_utf8_lossy(&line).replace('\0', " "));
        }
    }
    found
}

/// The real servers that `scripts/real-servers` installs.
pub(crate) fn real_servers() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/servers");
    assert!(
        dir.join("stamp").is_file(),
        "the real servers are not installed: run scripts/real-servers first (./test does)"
    );
    dir.canonicalize().expect("the directory exists")
}
