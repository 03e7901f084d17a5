//! The HTML report in a real browser: opened, filtered, read aloud, printed, on a laptop and on a
//! phone. `scripts/browser` installs what this needs.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use proofmark_core::evidence::{Evidence, ExchangeId, Reply, Subject};
use proofmark_core::render::html::html;
use proofmark_core::report::Report;
use proofmark_core::rubric::Rubric;
use proofmark_live::store;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/evidence");

fn browser() -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/browser");
    assert!(
        dir.join("stamp").is_file(),
        "there is no browser to test with: run scripts/browser first (./test does)"
    );
    dir
}

fn check(page: &Path) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/check.mjs");
    let output = Command::new("node")
        .arg(script)
        .args([browser().as_path(), page])
        .output()
        .expect("node runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{said}", page.display());
}

fn evidence(name: &str) -> Evidence {
    let path = Path::new(FIXTURES).join(format!("{name}.json.zst"));
    store::read_evidence(&path).expect("golden evidence")
}

#[test]
fn a_real_report_is_sound_in_a_browser() {
    let dir = tempfile::tempdir().expect("a folder");
    let page = dir.path().join("report.html");
    let evidence = format!("{FIXTURES}/everything.json.zst");
    let written = page.display().to_string();
    common::run(&["score", &evidence, "-o", &written, "--quiet"]);
    check(&page);
}

#[test]
fn a_report_of_200_tools_and_20000_exchanges_stays_quick_and_small() {
    let evidence = evidence("filesystem");
    let report = Report::of(&evidence, &Rubric::builtin("directory").expect("a rubric"));
    let (report, evidence) = multiplied(report, evidence, 200, 20_000);
    let text = html(&report, &evidence).expect("a page");
    assert!(text.len() < 10_000_000, "{} bytes", text.len());
    let dir = tempfile::tempdir().expect("a folder");
    let page = dir.path().join("large.html");
    std::fs::write(&page, text).expect("a written page");
    check(&page);
}

#[test]
fn a_hostile_server_is_shown_and_not_obeyed() {
    const EVIL: &str = "</script><img src=x onerror=alert(1)><script>alert(2)</script>";
    let mut evidence = evidence("time");
    for tool in &mut evidence.inventory.tools {
        tool.description = Some(EVIL.to_owned());
    }
    let mut report = Report::of(&evidence, &Rubric::builtin("directory").expect("a rubric"));
    report.server.name = Some(EVIL.to_owned());
    for finding in &mut report.findings {
        finding.says = EVIL.to_owned();
    }
    for tool in &mut report.tools {
        tool.why = EVIL.to_owned();
    }
    let dir = tempfile::tempdir().expect("a folder");
    let page = dir.path().join("hostile.html");
    std::fs::write(&page, html(&report, &evidence).expect("a page")).expect("a written page");
    check(&page);
}

#[test]
fn html_goes_to_standard_output_and_to_files() {
    let evidence = format!("{FIXTURES}/time.json.zst");
    let output = common::run(&["score", &evidence, "--format", "html", "--quiet"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
}

#[test]
fn charts_are_drawn_as_svg_and_png_and_twice_alike() {
    let dir = tempfile::tempdir().expect("a folder");
    let evidence = format!("{FIXTURES}/time.json.zst");
    let draw = |name: &str| {
        let place = dir.path().join(name);
        common::run(&["score", &evidence, "--quiet", "-o", &place.display().to_string()]);
        std::fs::read(place).expect("a written chart")
    };
    let (radar, bars) = (draw("radar.svg"), draw("bars.svg"));
    let text = String::from_utf8_lossy(&radar);
    assert!(text.starts_with("<svg") && text.contains("Documentation") && radar != bars);
    let picture = draw("radar.png");
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 5_000);
    assert_eq!(picture, draw("again.png"));
    assert_ne!(picture, draw("bars.png"));
}

/// The same server, many times: more tools, findings and calls of the same kinds.
fn multiplied(
    mut report: Report,
    mut evidence: Evidence,
    tools: usize,
    calls: usize,
) -> (Report, Evidence) {
    let (listed, seen, found) =
        (evidence.inventory.tools.clone(), report.tools.clone(), report.findings.clone());
    let rounds = tools.div_ceil(seen.len().max(1));
    for n in 1..rounds {
        for mut tool in listed.iter().cloned() {
            tool.name = format!("{}_{n}", tool.name);
            evidence.inventory.tools.push(tool);
        }
        for mut tool in seen.iter().cloned() {
            tool.name = format!("{}_{n}", tool.name);
            report.tools.push(tool);
        }
        for mut finding in found.iter().filter(|f| f.subject.tool().is_some()).cloned() {
            finding.subject = renamed(&finding.subject, n);
            finding.id = format!("{}-{n}", finding.id);
            report.findings.push(finding);
        }
    }
    let made = evidence.transcript.clone();
    for id in made.len()..calls {
        let (mut exchange, n) = (made[id % made.len()].clone(), id / made.len());
        exchange.id = ExchangeId(u32::try_from(id).expect("few calls"));
        exchange.subject = renamed(&exchange.subject, n % rounds);
        if let Reply::Result { value } = &*exchange.reply {
            let mut value = value.clone();
            value["_meta"] = serde_json::json!({ "call": id });
            exchange.reply = Reply::Result { value }.into();
        }
        evidence.transcript.push(exchange);
    }
    assert!(report.tools.len() >= tools && evidence.transcript.len() >= calls);
    (report, evidence)
}

fn renamed(subject: &Subject, n: usize) -> Subject {
    match subject {
        Subject::Tool { tool } => Subject::tool_named(&format!("{tool}_{n}")),
        Subject::Param { tool, pointer } => Subject::param(&format!("{tool}_{n}"), pointer),
        Subject::Server
        | Subject::Resource { .. }
        | Subject::Prompt { .. }
        | Subject::File { .. } => subject.clone(),
    }
}
