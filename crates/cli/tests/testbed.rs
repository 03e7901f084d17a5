//! Every labelled server of the testbed, end to end through the binary.

#![expect(clippy::expect_used, reason = "a test may panic")]

mod common;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use common::{Assessed, assess, assess_mode, left_behind};
use proofmark_testbed::{HttpForm, HttpServer, Kind, Label, Startup, Transport};

/// Short enough for a test, long enough for a debug build on a busy machine.
const FLAGS: &[&str] = &["--timeout", "3s", "--startup-timeout", "25s", "--max-time", "90s"];

/// So many servers at a time: most of a run is waiting.
const BESIDE: usize = 6;

#[test]
fn every_mode_is_judged_as_its_label_says_over_stdio() {
    judge_all(Transport::Stdio, |label| assess_mode(&label.name, FLAGS));
}

#[test]
fn every_mode_is_judged_as_its_label_says_over_http() {
    judge_all(Transport::Http, |label| over_http(label, HttpForm::Streams, "--url"));
}

#[test]
fn every_mode_is_judged_as_its_label_says_over_legacy_sse() {
    judge_all(Transport::Sse, |label| over_http(label, HttpForm::LegacySse, "--sse"));
}

/// Runs all modes that have the transport, a few at a time, and lists every disagreement.
fn judge_all(transport: Transport, run: impl Fn(&Label) -> Assessed + Sync) {
    let labels: Vec<Label> = proofmark_testbed::modes()
        .expect("the labels are sound")
        .into_iter()
        .filter(|l| l.transports.contains(&transport))
        .collect();
    assert!(labels.len() >= 3, "too few modes for {transport:?}");
    let queue = Mutex::new(labels.iter());
    let complaints = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..BESIDE {
            scope.spawn(|| {
                loop {
                    let Some(label) = queue.lock().expect("no panic here").next() else { return };
                    let assessed = run(label);
                    complaints
                        .lock()
                        .expect("no panic here")
                        .extend(disagreements(label, &assessed));
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no panic here");
    assert!(complaints.is_empty(), "{transport:?}:\n{}", complaints.join("\n"));
}

fn disagreements(label: &Label, assessed: &Assessed) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut say = |text: String| wrong.push(format!("{}: {text}", label.name));
    let expected = startup(label.startup);
    if assessed.startup() != expected {
        say(format!(
            "startup is {}, the label says {expected}: {}",
            assessed.startup(),
            assessed.report["startup"]
        ));
    }
    if expected != "up" && assessed.code != 3 {
        say(format!("exit {} although it did not come up", assessed.code));
    }
    for check in &label.expect_fail {
        if assessed.failures(check).is_empty() {
            say(format!("{check} did not fail"));
        }
    }
    for f in assessed.findings() {
        let check = f["check"].as_str().unwrap_or_default();
        let counts = f["outcome"] == "fail" && f["standing"] != "suspected";
        if counts && label.forbids_failure(check) {
            say(format!("{check} failed: {} {}", f["subject"], f["says"]));
        }
        let hole = |tool: &str, class: &str| {
            f["subject"]["tool"] == tool && f["class"] == class && f["standing"] == "proven"
        };
        for decoy in &label.decoys {
            if counts && hole(&decoy.tool, decoy.class.as_str()) {
                say(format!("false hole: {}", f["says"]));
            }
        }
    }
    for hole in &label.holes {
        let found = assessed.findings().any(|f| {
            f["outcome"] == "fail"
                && f["standing"] == "proven"
                && f["class"] == hole.class.as_str()
                && f["subject"]["tool"] == hole.tool.as_str()
        });
        if !found {
            say(format!("{} in {} was not proven", hole.class.as_str(), hole.tool));
        }
    }
    if label.never_pass {
        for (rubric, score) in assessed.report["scores"].as_object().into_iter().flatten() {
            if score["level"] == "PASS" {
                say(format!("{rubric} says PASS"));
            }
        }
    }
    if label.kind == Kind::Good && assessed.level() == "FAIL" {
        say(format!("a good server got {}", assessed.report["score"]));
    }
    wrong
}

fn startup(expected: Startup) -> &'static str {
    match expected {
        Startup::Up => "up",
        Startup::MissingCredential => "missing_credential",
        Startup::InitializeError => "initialize_error",
        Startup::Unauthorized => "unauthorized",
        Startup::SilentHang => "silent_hang",
        Startup::ExitedEarly => "exited_early",
    }
}

/// The mode as an HTTP server of this test process, assessed by the binary.
fn over_http(label: &Label, form: HttpForm, flag: &str) -> Assessed {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let addr = "127.0.0.1:0".parse().expect("an address");
    let server = runtime
        .block_on(HttpServer::bind(&label.name, addr, form, None))
        .expect("the mode has this transport");
    let url = server.url().to_owned();
    runtime.spawn(server.run());
    // The server is ours and in memory, so everything may be called.
    let mut flags = FLAGS.to_vec();
    flags.extend(["--disposable", flag, &url]);
    let assessed = assess(&flags, &[]);
    runtime.shutdown_timeout(Duration::from_millis(100));
    assessed
}

#[test]
fn the_same_seed_gives_the_same_report_but_for_timings() {
    for mode in ["demo", "good-rich", "crashes-on-bad-input"] {
        let first = assess_mode(mode, &["--seed", "11"]);
        let second = assess_mode(mode, &["--seed", "11"]);
        common::assert_same(&first.timeless(), &second.timeless(), mode);
    }
}

#[test]
fn a_recorded_run_is_judged_to_the_same_bytes() {
    let dir = tempfile::tempdir().expect("a directory");
    for name in ["run.json", "run.json.zst"] {
        let file = dir.path().join(name);
        let path = file.to_str().expect("a plain path");
        let live = assess_mode("demo", &["--evidence", path]);
        let again = common::run(&["score", path, "--format", "json", "--quiet"]);
        assert!(live.bytes == again.stdout, "{name}: the reports differ");
    }
}

#[test]
fn a_server_that_dies_is_restarted_a_few_times_and_the_rest_is_unseen() {
    let good = assess_mode("good", FLAGS);
    let begun = Instant::now();
    let dying = assess_mode("dies-after-40", FLAGS);
    assert!(begun.elapsed() < Duration::from_secs(100), "it took {:?}", begun.elapsed());
    let restarts = dying.report["conditions"]["budget"]["restarts"].as_u64();
    assert!(restarts.is_some_and(|n| (1..=9).contains(&n)), "{restarts:?} restarts");
    assert!(dying.unseen() > good.unseen(), "nothing is marked unseen");
    assert!(dying.coverage() < good.coverage(), "{} {}", dying.coverage(), good.coverage());
    assert_ne!(dying.level(), "PASS");
}

#[test]
fn tools_that_never_answer_end_within_the_time_budget_and_never_pass() {
    let begun = Instant::now();
    let hanging = assess_mode("never-answers", &["--timeout", "2s", "--max-time", "20s"]);
    assert!(begun.elapsed() < Duration::from_secs(35), "it took {:?}", begun.elapsed());
    assert!(hanging.unseen() > 0);
    assert_ne!(hanging.level(), "PASS");
    assert_ne!(hanging.code, 0);
    let tools = hanging.report["tools"].as_array().expect("tools are listed");
    assert!(tools.iter().all(|t| t["verdict"] != "working"), "{tools:?}");
}

#[test]
fn nothing_that_was_started_is_left_behind() {
    for mode in ["good", "ignores-sigterm", "hanging-tool", "exits-at-once", "closes-stdout"] {
        let marker = format!("PROOFMARK_TEST_MARK=orphans-of-{mode}-{}", std::process::id());
        let mut flags = FLAGS.to_vec();
        flags.extend(["--env", &marker]);
        assess_mode(mode, &flags);
        assert_eq!(left_behind(&marker), Vec::<String>::new(), "{mode}");
    }
}

#[test]
fn a_passive_run_calls_nothing_and_says_so() {
    let passive = assess_mode("good", &["--passive"]);
    assert_eq!(passive.report["conditions"]["passive"], true);
    assert!(passive.report["tools"].as_array().is_some_and(|t| t.iter().all(|t| t["calls"] == 0)));
    assert_ne!(passive.level(), "PASS", "silence never looks like success");
}

#[test]
fn filters_and_budgets_are_honoured_and_recorded() {
    let one =
        assess_mode("good", &["--only", "usability", "--skip", "usability/naming-consistency"]);
    assert!(one.findings().all(|f| f["topic"] == "usability"));
    assert!(one.findings().all(|f| f["check"] != "usability/naming-consistency"));
    let few = assess_mode("good", &["--max-calls", "5"]);
    assert!(few.report["conditions"]["budget"]["skipped"].as_u64().is_some_and(|n| n > 0));
    assert_ne!(few.level(), "PASS");
}
