//! Stderr in any amount, and what happens when we ourselves are killed.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use proofmark_core::evidence::{Exit, IsolationLevel};

use crate::bench::{Bench, LEVELS, marked, until_marked};

/// Memory of this process that is really in use.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn three_hundred_megabytes_on_stderr_neither_hang_nor_fill_us() {
    let bench = Bench::new(IsolationLevel::Namespaces);
    let before = resident_kib();
    let mut process = bench.sh(
        "yes 'a line of forty characters, more or less' | head -c 300000000 >&2; echo >&2; echo last >&2",
    );
    let exit = process.wait_exit(Duration::from_secs(120)).await;
    assert_eq!(exit, Some(Exit::Code { code: 0 }));
    let grown = resident_kib().saturating_sub(before);
    // Less than was written: the other tests of this process use some memory, too.
    assert!(grown < 240 << 10, "grew by {grown} KiB");
    assert_eq!(process.stderr_tail(1), ["last"]);
    let kept = bench.record.kept();
    assert!(
        kept.stderr.len() <= 2_000 && kept.stderr_dropped > 2_000_000,
        "{}",
        kept.stderr_dropped
    );
}

#[tokio::test]
async fn one_endless_line_on_stderr_does_not_fill_us_either() {
    let bench = Bench::new(IsolationLevel::Scratch);
    let before = resident_kib();
    let mut process = bench.sh("head -c 300000000 /dev/zero >&2; printf '\\n\\377end\\n' >&2");
    let exit = process.wait_exit(Duration::from_secs(120)).await;
    assert_eq!(exit, Some(Exit::Code { code: 0 }));
    let grown = resident_kib().saturating_sub(before);
    // Less than was written: the other tests of this process use some memory, too.
    assert!(grown < 240 << 10, "grew by {grown} KiB");
    assert_eq!(process.stderr_tail(1), ["\u{fffd}end"]);
}

#[tokio::test]
async fn stderr_is_scrubbed_on_its_way_in() {
    let bench = Bench::new(IsolationLevel::Confined);
    let mut process = bench.sh("echo \"working in $PWD\" >&2");
    process.wait_exit(Duration::from_secs(20)).await;
    assert_eq!(bench.record.kept().stderr, ["working in /proofmark/workspace"]);
}

#[tokio::test]
async fn a_grandchild_that_keeps_stderr_open_does_not_hold_us_up() {
    let bench = Bench::new(IsolationLevel::Scratch);
    let mut process = bench.sh("sleep 770101 & echo gone >&2; exit 1");
    let start = Instant::now();
    assert_eq!(process.wait_exit(Duration::from_secs(20)).await, Some(Exit::Code { code: 1 }));
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(process.stderr_tail(1), ["gone"]);
    drop(process);
    assert_eq!(marked("770101"), [] as [i32; 0]);
}

#[test]
fn a_server_does_not_outlive_us_when_we_are_killed() {
    const ME: &str = "streams::a_server_does_not_outlive_us_when_we_are_killed";
    if let Some(level) = std::env::var_os("PROOFMARK_TEST_KILLED") {
        let level = LEVELS[level.to_str().unwrap().parse::<usize>().unwrap()];
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _inside = runtime.enter();
        let bench = Bench::new(level);
        let _process = bench.sh("exec sleep 770111");
        std::thread::sleep(Duration::from_secs(60));
        return;
    }
    let litter = tempfile::tempdir().unwrap();
    for level in 0..LEVELS.len() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", ME])
            .env("PROOFMARK_TEST_KILLED", level.to_string())
            .env("TMPDIR", litter.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        until_marked("770111", 1);
        child.kill().unwrap();
        child.wait().unwrap();
        until_marked("770111", 0);
    }
}
