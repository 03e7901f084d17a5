//! Everything a server starts ends with it, however it tries to stay.

use std::time::{Duration, Instant};

use crate::bench::{Bench, LEVELS, io, line, marked, until_marked};
use futures_util::future::join_all;
use proofmark_core::evidence::{Exit, IsolationLevel, Push};
use proofmark_live::isolate::end_all;

/// Sleeps that carry a number of their own can be told apart from everyone else's.
fn mark(base: u32, level: IsolationLevel) -> String {
    format!("{}", base * 10 + level as u32)
}

#[tokio::test]
async fn children_in_the_group_die_on_drop() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mark = mark(77_001, level);
        let process = bench.sh(&format!("sleep {mark} & sleep {mark} & sleep {mark}"));
        until_marked(&mark, 3);
        drop(process);
        assert_eq!(marked(&mark), [] as [i32; 0], "{level:?}");
    }
}

#[tokio::test]
async fn a_grandchild_in_a_session_of_its_own_dies_on_drop() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mark = mark(77_002, level);
        let process = bench.sh(&format!("setsid sh -c 'sleep {mark} & wait' & wait"));
        until_marked(&mark, 1);
        drop(process);
        assert_eq!(marked(&mark), [] as [i32; 0], "{level:?}");
    }
}

const DAEMON: &str = "
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2):
            os.close(fd)
        os.execvp('sleep', ['sleep', sys.argv[1]])
    os._exit(0)
os.wait()
print('ready', flush=True)
if len(sys.argv) > 2:
    sys.exit(3)
time.sleep(600)
";

#[tokio::test]
async fn a_daemon_that_forked_twice_dies_on_drop() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mark = mark(77_003, level);
        let mut process = bench.run("python3", &["-c", DAEMON, &mark]).unwrap();
        let (_stdin, mut out) = io(&mut process);
        assert_eq!(line(&process, &mut out).await, "ready");
        until_marked(&mark, 1);
        drop(process);
        assert_eq!(marked(&mark), [] as [i32; 0], "{level:?}");
    }
}

#[tokio::test]
async fn a_daemon_whose_server_is_gone_already_dies_on_drop() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mark = mark(77_004, level);
        let mut process = bench.run("python3", &["-c", DAEMON, &mark, "leave"]).unwrap();
        let exit = process.wait_exit(Duration::from_secs(20)).await;
        assert_eq!(exit, Some(Exit::Code { code: 3 }), "{:?}", process.stderr_tail(9));
        drop(process);
        assert_eq!(marked(&mark), [] as [i32; 0], "{level:?}");
    }
}

#[tokio::test]
async fn a_server_leaves_by_itself_when_stdin_closes() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mut process = bench.sh("cat > /dev/null; exit 4");
        let (stdin, _out) = io(&mut process);
        drop(stdin);
        assert_eq!(process.end().await, (Some(Exit::Code { code: 4 }), Push::StdinClosed));
    }
}

#[tokio::test]
async fn a_server_that_ignores_stdin_is_asked_to_leave_and_may_say_goodbye() {
    join_all(LEVELS.iter().map(|&level| async move {
        let bench = Bench::new(level);
        let mut process =
            bench.sh("trap 'echo bye >&2; exit 5' TERM; echo ready; while :; do sleep 0.05; done");
        let (stdin, mut out) = io(&mut process);
        line(&process, &mut out).await;
        drop(stdin);
        assert_eq!(process.end().await, (Some(Exit::Code { code: 5 }), Push::Term), "{level:?}");
        assert_eq!(process.stderr_tail(1), ["bye"]);
    }))
    .await;
}

#[tokio::test]
async fn a_server_that_does_nothing_about_the_signal_dies_of_it() {
    join_all(LEVELS.iter().map(|&level| async move {
        let bench = Bench::new(level);
        let mut process = bench
            .run("python3", &["-c", "print(1, flush=True)\nimport time\ntime.sleep(99)"])
            .unwrap();
        let (_stdin, mut out) = io(&mut process);
        line(&process, &mut out).await;
        assert_eq!(
            process.end().await,
            (Some(Exit::Signal { signal: 15 }), Push::Term),
            "{level:?}"
        );
    }))
    .await;
}

#[tokio::test]
async fn a_server_that_ignores_the_signal_is_killed_within_seconds() {
    join_all(LEVELS.iter().map(|&level| async move {
        let bench = Bench::new(level);
        let mark = mark(77_005, level);
        let mut process = bench.sh(&format!(
            "trap '' TERM HUP INT; echo ready; sleep {mark} & while :; do sleep 0.05; done"
        ));
        let (_stdin, mut out) = io(&mut process);
        line(&process, &mut out).await;
        let start = Instant::now();
        let (exit, push) = process.end().await;
        assert_eq!((exit, push), (Some(Exit::Signal { signal: 9 }), Push::Kill), "{level:?}");
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
        assert_eq!(marked(&mark), [] as [i32; 0], "{level:?}");
    }))
    .await;
}

#[tokio::test]
async fn a_server_that_closes_its_stdin_does_not_hang_us() {
    join_all(LEVELS.iter().map(|&level| async move {
        let bench = Bench::new(level);
        let mut process = bench.sh("exec <&-; echo ready; while :; do sleep 0.05; done");
        let (stdin, mut out) = io(&mut process);
        line(&process, &mut out).await;
        drop(stdin);
        assert_eq!(process.end().await.1, Push::Term, "{level:?}");
    }))
    .await;
}

#[tokio::test]
async fn a_server_that_keeps_forking_is_caught() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mark = mark(77_006, level);
        let process = bench.sh(&format!("while :; do (setsid sleep {mark} &) ; sleep 0.01; done"));
        while marked(&mark).len() < 5 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        drop(process);
        assert_eq!(marked(&mark), [] as [i32; 0], "{level:?}");
    }
}

#[tokio::test]
async fn an_immediate_exit_is_seen_at_once() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mut process = bench.sh("echo no >&2; exit 9");
        let exit = process.wait_exit(Duration::from_secs(20)).await;
        assert_eq!(exit, Some(Exit::Code { code: 9 }), "{level:?}");
        assert_eq!(process.try_exit(), exit);
        assert_eq!(process.stderr_tail(5), ["no"]);
        assert_eq!(process.end().await, (exit, Push::StdinClosed));
    }
}

#[test]
fn a_panic_leaves_no_process_behind() {
    let thread = std::thread::spawn(|| {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let bench = Bench::new(IsolationLevel::Scratch);
            let _process = bench.sh("setsid sleep 770071 & sleep 770071");
            until_marked("770071", 2);
            panic!("on purpose");
        });
    });
    assert!(thread.join().is_err());
    assert_eq!(marked("770071"), [] as [i32; 0]);
}

#[test]
fn ending_all_needs_no_drop_and_may_be_repeated() {
    // In a process of its own: it ends everybody's servers.
    if std::env::var_os("PROOFMARK_TEST_END_ALL").is_none() {
        let me = std::env::current_exe().unwrap();
        let status = std::process::Command::new(me)
            .args(["--exact", "tree::ending_all_needs_no_drop_and_may_be_repeated"])
            .env("PROOFMARK_TEST_END_ALL", "1")
            .status();
        assert!(status.unwrap().success());
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let bench = Bench::new(IsolationLevel::Confined);
        let fenced = Bench::new(IsolationLevel::Namespaces);
        let script = "setsid sleep 770081 & sleep 770081";
        let (one, two) = (bench.sh(script), fenced.sh(script));
        until_marked("770081", 4);
        end_all();
        assert_eq!(marked("770081"), [] as [i32; 0]);
        assert!(!bench.scratch.root().exists() && !fenced.scratch.root().exists());
        end_all();
        drop((one, two));
    });
}

#[tokio::test]
async fn without_a_shim_nothing_stays_either_and_the_notes_say_what_is_lacking() {
    let mut bench = Bench::new(IsolationLevel::Confined);
    bench.shim = None;
    let process = bench.sh("(setsid sleep 770091 &); sleep 770091");
    assert_eq!(process.isolation().level, IsolationLevel::Scratch);
    let notes = process.isolation().notes.join("\n");
    assert!(notes.contains("no landlock") && notes.contains("no limits"), "{notes}");
    until_marked("770091", 2);
    drop(process);
    assert_eq!(marked("770091").len(), 0);
}
