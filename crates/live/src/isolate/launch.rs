//! Starts a server behind the best fence this machine offers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use proofmark_core::evidence::IsolationLevel;
use tokio::process::{Child, Command};
use tokio::runtime::Handle;

use super::environment::{self, Outer};
use super::launcher::{self, Launcher};
use super::process::Process;
use super::reach::{self, Reached, Wish};
use super::registry;
use super::scratch::Scratch;
use super::shadow::{self, Ground, Wanted};
use crate::record::Record;

/// A server to start.
#[derive(Debug, Clone)]
pub struct LaunchSpec<'a> {
    pub command: &'a str,
    pub args: &'a [String],
    /// What the user sets; wins over everything else.
    pub env: &'a BTreeMap<String, String>,
    /// Unset: the workspace. Relative paths on the command line then mean files of `origin`.
    pub cwd: Option<&'a Path>,
    /// Where the user is; unset: our own working directory.
    pub origin: Option<&'a Path>,
    pub scratch: &'a Scratch,
    /// Values planted in the environment.
    pub planted: &'a BTreeMap<String, String>,
    /// The most that is wanted.
    pub isolation: IsolationLevel,
    pub shim: Option<&'a [String]>,
    /// Where launchers keep their downloads; unset: below the user's cache directory.
    pub cache: Option<&'a Path>,
    /// Takes stderr.
    pub record: Arc<Record>,
}

/// The server could not even be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    #[error(
        "`{command}` is not installed: it is not on the PATH; install it or give its full path"
    )]
    NotFound { command: String },
    #[error("`{command}` does not exist; check the path")]
    NoSuchFile { command: String },
    #[error("`{command}` is not executable; make it so with chmod +x, or name its interpreter")]
    NotExecutable { command: String },
    #[error("the working directory {dir} does not exist; give another with --cwd")]
    NoDirectory { dir: String },
    #[error("can't start `{command}`: {why}")]
    Spawn { command: String, why: String },
}

/// Must be called within a tokio runtime. May take some tens of milliseconds for trying out what
/// isolation works.
pub fn launch(spec: &LaunchSpec<'_>) -> Result<Process, LaunchError> {
    let outer = Outer::current();
    let line = Line::resolve(spec, &outer)?;
    let launcher = Launcher::of(spec.command, spec.args);
    let cache = cache(spec, &outer, launcher);
    let env = environment::compose(
        &outer,
        spec.scratch,
        launcher,
        cache.as_deref(),
        spec.planted,
        spec.env,
    );
    let reached = reach::reach(&Wish {
        level: spec.isolation,
        shim: spec.shim,
        outer: &outer,
        scratch: spec.scratch,
        launcher,
        cache: cache.as_deref(),
        cwd: &line.cwd,
        needs: line.needs(spec, &env),
        wanted: line.wanted(spec, &outer, cache.as_deref()),
    });
    let command = line.command(&reached, &env);
    start(spec, command, reached)
}

fn start(
    spec: &LaunchSpec<'_>,
    command: Command,
    reached: Reached,
) -> Result<Process, LaunchError> {
    let failed = |why: String| LaunchError::Spawn { command: spec.command.to_owned(), why };
    #[cfg(target_os = "linux")]
    {
        // Orphans of a server come to us instead of to init, so they can be found.
        let _ = nix::sys::prctl::set_child_subreaper(true);
    }
    let keeps_orphans =
        spec.shim.is_some() || reached.isolation.level == IsolationLevel::Namespaces;
    let child = spawn(command, keeps_orphans).map_err(failed)?;
    Ok(Process::new(child, reached.isolation, Arc::clone(&spec.record)))
}

/// The command line as it will be run.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    program: PathBuf,
    args: Vec<OsString>,
    cwd: PathBuf,
}

impl Line {
    fn resolve(spec: &LaunchSpec<'_>, outer: &Outer) -> Result<Line, LaunchError> {
        let here = || std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let origin = spec.origin.map_or_else(here, Path::to_owned);
        let cwd = spec.cwd.map_or_else(|| spec.scratch.workspace(), |dir| origin.join(dir));
        if !cwd.is_dir() {
            return Err(LaunchError::NoDirectory { dir: cwd.to_string_lossy().into_owned() });
        }
        let base = if spec.cwd.is_some() { &cwd } else { &origin };
        let path = spec.env.get("PATH").map_or(outer.path(), String::as_str);
        let program = program(spec.command, base, path)?;
        let args = spec
            .args
            .iter()
            .map(|arg| if spec.cwd.is_some() { arg.into() } else { absolute(arg, &origin) });
        let args = args.collect();
        Ok(Line { program, args, cwd })
    }

    /// Every existing file or directory that the command line or the user's settings name.
    fn needs(&self, spec: &LaunchSpec<'_>, env: &BTreeMap<String, String>) -> Vec<PathBuf> {
        let shim = spec.shim.and_then(<[String]>::first).map(PathBuf::from);
        let named = self
            .args
            .iter()
            .filter_map(|a| a.to_str())
            .map(|a| PathBuf::from(a.split_once('=').map_or(a, |(_, value)| value)));
        let set = env.iter().filter(|(name, _)| *name != "PATH").map(|(_, v)| PathBuf::from(v));
        let mut needs: Vec<PathBuf> = [self.program.clone(), self.cwd.clone()]
            .into_iter()
            .chain(shim)
            .chain(named)
            .chain(set)
            .filter(|p| p.is_absolute() && p.exists())
            .collect();
        needs.extend(needs.clone().iter().filter_map(|p| p.canonicalize().ok()));
        needs.sort();
        needs.dedup();
        needs
    }

    /// What of the user's the server is told to work on.
    fn wanted(&self, spec: &LaunchSpec<'_>, outer: &Outer, cache: Option<&Path>) -> Vec<Wanted> {
        let shim = spec.shim.and_then(<[String]>::first).map(Path::new);
        shadow::wanted(&Ground {
            program: &self.program,
            args: &self.args,
            env: spec.env,
            cwd: &self.cwd,
            home: &outer.home,
            own: [spec.scratch.root()].into_iter().chain(shim).chain(cache).collect(),
        })
    }

    fn command(&self, reached: &Reached, env: &BTreeMap<String, String>) -> Command {
        let mut words = reached.words.iter().cloned().chain([self.program.clone().into()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command
            .args(words)
            .args(&self.args)
            .env_clear()
            .envs(env)
            .current_dir(&self.cwd)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

fn program(command: &str, base: &Path, path: &str) -> Result<PathBuf, LaunchError> {
    use nix::unistd::{AccessFlags, access};
    if !command.contains('/') {
        let found = reach::find(path, command);
        return found.ok_or_else(|| LaunchError::NotFound { command: command.to_owned() });
    }
    let file = base.join(command);
    if !file.exists() {
        return Err(LaunchError::NoSuchFile { command: command.to_owned() });
    }
    if !file.is_file() || access(&file, AccessFlags::X_OK).is_err() {
        return Err(LaunchError::NotExecutable { command: command.to_owned() });
    }
    Ok(file)
}

/// `dist/index.js` and `--config=./x.json` mean files where the user is, not where the server
/// runs. A word without `/` or `.` is taken for a word.
fn absolute(arg: &str, origin: &Path) -> OsString {
    let (name, value) = match arg.split_once('=') {
        Some((name, value)) if name.starts_with('-') => (Some(name), value),
        Some(_) | None => (None, arg),
    };
    let pathlike = value.contains(['/', '.']) && !value.starts_with(['-', '/', '@']);
    if !pathlike || !origin.join(value).exists() {
        return arg.into();
    }
    let path = origin.join(value.strip_prefix("./").unwrap_or(value));
    let mut out = OsString::new();
    if let Some(name) = name {
        out.push(name);
        out.push("=");
    }
    out.push(path);
    out
}

fn cache(spec: &LaunchSpec<'_>, outer: &Outer, launcher: Option<Launcher>) -> Option<PathBuf> {
    let dir = spec.cache.map_or_else(|| launcher::cache_dir(outer), Path::to_owned);
    let wanted = launcher.is_some_and(Launcher::has_cache);
    // Without it the launcher downloads into the scratch home: slower, not worse.
    (wanted && std::fs::create_dir_all(&dir).is_ok()).then(|| dir.canonicalize().unwrap_or(dir))
}

type Job = Box<dyn FnOnce() + Send>;

/// Starts a child from a thread that lives as long as we do: a child that is to die with its
/// parent dies with the *thread* that started it, and runtime threads come and go.
fn spawn(mut command: Command, keeps_orphans: bool) -> Result<Child, String> {
    static SPAWNER: OnceLock<Option<Mutex<Sender<Job>>>> = OnceLock::new();
    let runtime = Handle::try_current().map_err(|e| e.to_string())?;
    let (tell, told) = channel();
    let job: Job = Box::new(move || {
        let _inside = runtime.enter();
        let mut running = registry::running();
        let child = command.spawn();
        if let Some(pid) = child.as_ref().ok().and_then(Child::id) {
            running.add(pid as i32, keeps_orphans);
        }
        drop(running);
        let _ = tell.send(child);
    });
    let spawner = SPAWNER.get_or_init(|| {
        let (send, jobs) = channel::<Job>();
        let thread = std::thread::Builder::new().name("spawner".to_owned());
        let started = thread.spawn(move || jobs.into_iter().for_each(|job| job()));
        started.is_ok().then(|| Mutex::new(send))
    });
    let spawner = spawner.as_ref().ok_or("no thread can be started")?;
    let sent = spawner.lock().unwrap_or_else(PoisonError::into_inner).send(job);
    sent.map_err(|_| "the starting thread is gone")?;
    told.recv().map_err(|_| "the starting thread is gone")?.map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_user_are_found_although_the_server_runs_elsewhere() {
        let scratch = Scratch::new().unwrap();
        let here = scratch.root();
        std::fs::create_dir(here.join("dist")).unwrap();
        std::fs::write(here.join("dist/index.js"), "").unwrap();
        let full = here.join("dist/index.js").into_os_string();
        assert_eq!(absolute("dist/index.js", here), full);
        assert_eq!(absolute("./dist/index.js", here), full);
        let mut flag = OsString::from("--entry=");
        flag.push(&full);
        assert_eq!(absolute("--entry=dist/index.js", here), flag);
        for word in ["dist", "-y", "@scope/pkg@1.0", "/etc/hosts", "missing.js", "--x", "a=b"] {
            assert_eq!(absolute(word, here), word, "{word}");
        }
    }

    #[test]
    fn a_missing_command_is_told_from_one_that_may_not_run() {
        let scratch = Scratch::new().unwrap();
        std::fs::write(scratch.root().join("plain"), "").unwrap();
        let find = |command: &str| program(command, scratch.root(), "/usr/bin:/bin").unwrap_err();
        assert!(matches!(find("no-such-program-here"), LaunchError::NotFound { .. }));
        assert!(matches!(find("./nothing"), LaunchError::NoSuchFile { .. }));
        assert!(matches!(find("./plain"), LaunchError::NotExecutable { .. }));
    }
}
