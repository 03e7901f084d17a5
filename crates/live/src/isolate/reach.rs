//! How much isolation this machine really gives: wished for, tried out, and said.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use proofmark_core::evidence::{Isolation, IsolationLevel};

use super::environment::Outer;
use super::launcher::Launcher;
use super::scratch::{PLACEHOLDER, Scratch};
use super::shadow::Wanted;
use super::{confine, namespaces};

const TRIAL: Duration = Duration::from_secs(10);

/// The words that go before the server's own command line, and what they achieve.
#[derive(Debug)]
pub(super) struct Reached {
    pub words: Vec<OsString>,
    pub isolation: Isolation,
}

/// What the choice depends on.
#[derive(Debug)]
pub(super) struct Wish<'a> {
    pub level: IsolationLevel,
    pub shim: Option<&'a [String]>,
    pub outer: &'a Outer,
    pub scratch: &'a Scratch,
    pub launcher: Option<Launcher>,
    pub cache: Option<&'a Path>,
    pub cwd: &'a Path,
    pub needs: Vec<PathBuf>,
    /// What of the user's the server is told to work on.
    pub wanted: Vec<Wanted>,
}

pub(super) fn reach(wish: &Wish<'_>) -> Reached {
    let mut notes = Vec::new();
    let mut level = wish.level;
    if wish.launcher == Some(Launcher::Container) && level > IsolationLevel::Scratch {
        level = IsolationLevel::Scratch;
        notes.push("the server runs in a container that a daemon starts, out of our reach".into());
    }
    let reached = match level {
        IsolationLevel::Namespaces => {
            namespaced(wish, &mut notes).or_else(|| confined(wish, &mut notes))
        }
        IsolationLevel::Confined => confined(wish, &mut notes),
        IsolationLevel::Scratch | IsolationLevel::None => None,
    };
    let (level, words) = reached.unwrap_or_else(|| scratch_only(wish, &mut notes));
    general_notes(wish, &mut notes);
    let root = wish.scratch.root().to_string_lossy();
    let notes = notes.into_iter().map(|n| n.replace(root.as_ref(), PLACEHOLDER)).collect();
    Reached { words, isolation: Isolation { level, notes } }
}

fn namespaced(wish: &Wish<'_>, notes: &mut Vec<String>) -> Option<(IsolationLevel, Vec<OsString>)> {
    let Some(bwrap) = find(wish.outer.path(), "bwrap") else {
        notes.push("no namespaces: bubblewrap (bwrap) is not installed".to_owned());
        return None;
    };
    let fence =
        namespaces::fence(&bwrap, wish.outer, wish.scratch, wish.cache, wish.cwd, &wish.needs);
    let shadows = wish.scratch.shadows(&wish.wanted);
    let mut words = fence.words;
    words.extend(shadows.words());
    words.push("--".into());
    if let Some(shim) = wish.shim {
        words.extend(shim.iter().map(OsString::from));
        words.push("--".into());
    }
    if let Err(why) = trial(&words, wish.scratch) {
        notes.push(format!("no namespaces: bubblewrap does not work here: {why}"));
        return None;
    }
    notes.push("bubblewrap: sees no other processes, writes only to the scratch area".to_owned());
    if !fence.hidden.is_empty() {
        notes.push(format!("hidden from it: {}", fence.hidden.join(", ")));
    }
    notes.extend(shadows.notes.iter().cloned());
    Some((IsolationLevel::Namespaces, words))
}

fn confined(wish: &Wish<'_>, notes: &mut Vec<String>) -> Option<(IsolationLevel, Vec<OsString>)> {
    let Some(shim) = wish.shim else {
        notes.push("no landlock: there is no program that would confine itself".to_owned());
        return None;
    };
    let mut words: Vec<OsString> = shim.iter().map(OsString::from).collect();
    words.push("--landlock".into());
    for path in wish.cache.into_iter().chain([wish.scratch.root()]) {
        words.extend(["--write".into(), path.into()]);
    }
    words.extend(parent());
    words.push("--".into());
    if let Err(why) = trial(&words, wish.scratch) {
        notes.push(format!("no landlock: {why}"));
        return None;
    }
    notes.push(
        "landlock: writes only to the scratch area and /dev/shm; all the user may read, it may read"
            .to_owned(),
    );
    notes.extend(wish.wanted.iter().map(|one| {
        let shown = one.path.display();
        format!("{shown} stays read-only: only behind bubblewrap can a copy stand in for it")
    }));
    Some((IsolationLevel::Confined, words))
}

fn scratch_only(wish: &Wish<'_>, notes: &mut Vec<String>) -> (IsolationLevel, Vec<OsString>) {
    notes.push("it may read and write whatever the user may".to_owned());
    let mut words = Vec::new();
    if let Some(shim) = wish.shim {
        words.extend(shim.iter().map(OsString::from));
        words.extend(parent());
        words.push("--".into());
    }
    (IsolationLevel::Scratch, words)
}

fn general_notes(wish: &Wish<'_>, notes: &mut Vec<String>) {
    notes.push("the network is shared with this machine".to_owned());
    match wish.shim {
        Some(_) => notes.push(format!("limits: {}", confine::LIMITS)),
        None => notes.push("no limits: there is no program that would set them".to_owned()),
    }
    if wish.cache.is_some() {
        notes.push(
            "its launcher keeps downloads in Proofmark's cache, which it may write to".to_owned(),
        );
    }
}

fn parent() -> [OsString; 2] {
    ["--parent".into(), std::process::id().to_string().into()]
}

/// A program by name.
pub(super) fn find(path: &str, name: &str) -> Option<PathBuf> {
    use nix::unistd::{AccessFlags, access};
    std::env::split_paths(path)
        .filter(|dir| !dir.as_os_str().is_empty())
        .map(|dir| dir.join(name))
        .find(|file| file.is_file() && access(file, AccessFlags::X_OK).is_ok())
}

/// Runs a shell behind the fence that writes on both sides, and looks what came of it.
fn trial(words: &[OsString], scratch: &Scratch) -> Result<(), String> {
    static TRIED: Mutex<BTreeMap<Vec<OsString>, Result<(), String>>> = Mutex::new(BTreeMap::new());
    let known = TRIED.lock().unwrap_or_else(PoisonError::into_inner).get(words).cloned();
    known.unwrap_or_else(|| {
        let result = attempt(words, scratch);
        let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
        tried.insert(words.to_vec(), result.clone());
        result
    })
}

fn attempt(words: &[OsString], scratch: &Scratch) -> Result<(), String> {
    let beyond = tempfile::Builder::new().prefix("proofmark-trial-").tempdir();
    let beyond = beyond.map_err(|e| e.to_string())?;
    let inside = scratch.run().join("trial");
    let outside = beyond.path().join("trial");
    let (program, rest) = words.split_first().ok_or("there is nothing to try")?;
    let mut command = Command::new(program);
    command.args(rest).args(["/bin/sh", "-c", r#"echo x > "$1"; echo x > "$2"; exit 0"#, "sh"]);
    command.arg(&inside).arg(&outside).stdin(Stdio::null()).stdout(Stdio::null());
    let said = run(command)?;
    let wrote = inside.exists();
    let _ = std::fs::remove_file(&inside);
    match (wrote, outside.exists()) {
        (true, false) => Ok(()),
        (false, _) => Err(format!("nothing could be written to the scratch area{said}")),
        (true, true) => Err("writes outside the scratch area were not refused".to_owned()),
    }
}

/// The first line of stderr, for people; the process is over or killed afterwards.
fn run(mut command: Command) -> Result<String, String> {
    let mut errors = tempfile::tempfile().map_err(|e| e.to_string())?;
    command.stderr(errors.try_clone().map_err(|e| e.to_string())?);
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let end = Instant::now() + TRIAL;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the trial did not end".to_owned());
            }
        }
    };
    let mut text = String::new();
    let _ = std::io::Seek::rewind(&mut errors);
    let _ = std::io::Read::read_to_string(&mut errors, &mut text);
    let first = text.lines().next().unwrap_or_default().to_owned();
    match status.success() {
        true if first.is_empty() => Ok(first),
        true => Ok(format!(": {first}")),
        false if first.is_empty() => Err(format!("the trial ended with {status}")),
        false => Err(first),
    }
}
