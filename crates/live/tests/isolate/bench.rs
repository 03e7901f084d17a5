//! What the isolation tests share: a way to start shell and Python scripts as if they were servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use proofmark_core::evidence::IsolationLevel;
use proofmark_core::scrub::Scrub;
use proofmark_live::isolate::{LaunchError, LaunchSpec, Process, Scratch, launch};
use proofmark_live::record::Record;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};

/// A scratch area, a record and the wishes for servers that are started in it.
pub(crate) struct Bench {
    pub(crate) scratch: Scratch,
    pub(crate) record: Arc<Record>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) planted: BTreeMap<String, String>,
    pub(crate) shim: Option<Vec<String>>,
    pub(crate) level: IsolationLevel,
}

impl Bench {
    pub(crate) fn new(level: IsolationLevel) -> Bench {
        let scratch = Scratch::new().unwrap();
        let mut scrub = Scrub::default();
        for (text, name) in scratch.placeholders() {
            scrub.add(text, name);
        }
        Bench {
            scratch,
            record: Arc::new(Record::new(scrub)),
            env: BTreeMap::new(),
            planted: BTreeMap::new(),
            shim: Some(shim()),
            level,
        }
    }

    pub(crate) fn run(&self, command: &str, args: &[&str]) -> Result<Process, LaunchError> {
        let args: Vec<String> = args.iter().map(|a| (*a).to_owned()).collect();
        launch(&LaunchSpec {
            command,
            args: &args,
            env: &self.env,
            cwd: None,
            origin: None,
            scratch: &self.scratch,
            planted: &self.planted,
            isolation: self.level,
            shim: self.shim.as_deref(),
            cache: None,
            record: Arc::clone(&self.record),
        })
    }

    pub(crate) fn sh(&self, script: &str) -> Process {
        self.run("sh", &["-c", script]).unwrap()
    }
}

pub(crate) type Out = Lines<BufReader<ChildStdout>>;

pub(crate) fn io(process: &mut Process) -> (ChildStdin, Out) {
    let (stdin, stdout) = process.take_io().expect("the streams are there once");
    (stdin, BufReader::new(stdout).lines())
}

/// The next line of stdout, or a failure that shows stderr.
pub(crate) async fn line(process: &Process, out: &mut Out) -> String {
    let next = tokio::time::timeout(Duration::from_secs(20), out.next_line()).await;
    match next {
        Ok(Ok(Some(line))) => line,
        other => panic!("no line came ({other:?}); stderr: {:?}", process.stderr_tail(20)),
    }
}

/// The shim, built if the test runner did not do so.
pub(crate) fn shim() -> Vec<String> {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    let path = SHIM.get_or_init(|| {
        let here = std::env::current_exe().unwrap();
        let profile = here.parent().and_then(Path::parent).unwrap();
        let program = profile.join("examples/confine");
        if !program.exists() {
            let built = Command::new(env!("CARGO"))
                .args(["build", "--quiet", "--package", "proofmark-live", "--example", "confine"])
                .status();
            assert!(built.unwrap().success(), "the example `confine` can't be built");
        }
        program
    });
    vec![path.to_str().unwrap().to_owned()]
}

/// Host processes that sleep for this many seconds, a number that serves as a mark.
pub(crate) fn marked(mark: &str) -> Vec<i32> {
    let mut pids = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else { continue };
        let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let state = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let zombie = state.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z'));
        if !zombie && words == format!("sleep\0{mark}\0").as_bytes() {
            pids.push(pid);
        }
    }
    pids
}

/// Waits until as many processes as wanted carry the mark.
pub(crate) fn until_marked(mark: &str, wanted: usize) -> Vec<i32> {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let found = marked(mark);
        if found.len() == wanted {
            return found;
        }
        assert!(Instant::now() < end, "wanted {wanted} processes with {mark}, found {found:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn has_bwrap() -> bool {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|dir| dir.join("bwrap").is_file())
}

/// The levels under which every promise about processes must hold.
pub(crate) const LEVELS: &[IsolationLevel] =
    &[IsolationLevel::Scratch, IsolationLevel::Confined, IsolationLevel::Namespaces];
