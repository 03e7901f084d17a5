//! The shim: a process that takes limits upon itself and then becomes the server. The binary
//! calls [`main`] from its hidden subcommand; limits can't be set on a child without it.
//!
//! `[--landlock] [--write PATH]… [--parent PID] -- command [argument]…`

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// We failed; the codes for a missing or unusable program are those of shells.
const OURS: u8 = 125;
const NOT_EXECUTABLE: u8 = 126;
const NOT_FOUND: u8 = 127;

/// What a server may use up. Node reserves much address space but little data, so memory is
/// limited by data and not by address space.
pub(super) const LIMITS: &str =
    "600 s of processor time, 4 GiB of data, 1 GiB per file, 4096 open files, no core dump";

const LIMIT_TABLE: &[(Resource, u64)] = &[
    (Resource::RLIMIT_CORE, 0),
    (Resource::RLIMIT_CPU, 600),
    (Resource::RLIMIT_DATA, 4 << 30),
    (Resource::RLIMIT_FSIZE, 1 << 30),
    (Resource::RLIMIT_NOFILE, 4096),
];

#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    #[error("unknown option `{0}`; expected --landlock, --write PATH, --parent PID or --")]
    Option(String),
    #[error("`{0}` needs a value")]
    Value(String),
    #[error("no command was given; put it after --")]
    NoCommand,
    #[error("can't set the limit {0}: {1}")]
    Limit(String, nix::Error),
    #[error("can't bind the server to its parent: {0}")]
    Parent(nix::Error),
    #[error("the parent ended before the server was started")]
    Orphaned,
    #[error("landlock is not enforced by this kernel ({0}); ask for less isolation")]
    Landlock(String),
    #[error("can't start `{program}`: {source}")]
    Exec { program: String, source: std::io::Error },
}

impl ConfineError {
    fn code(&self) -> u8 {
        match self {
            ConfineError::Exec { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                NOT_FOUND
            }
            ConfineError::Exec { .. } => NOT_EXECUTABLE,
            ConfineError::Option(_)
            | ConfineError::Value(_)
            | ConfineError::NoCommand
            | ConfineError::Limit(..)
            | ConfineError::Parent(_)
            | ConfineError::Orphaned
            | ConfineError::Landlock(_) => OURS,
        }
    }
}

/// Confines this process and becomes the command; returns only on failure.
pub fn main(args: &[OsString]) -> ExitCode {
    let error = match confine(args) {
        Ok(never) => match never {},
        Err(error) => error,
    };
    let _ = writeln!(std::io::stderr(), "proofmark confine: {error}");
    ExitCode::from(error.code())
}

fn confine(args: &[OsString]) -> Result<std::convert::Infallible, ConfineError> {
    let wish = Wish::parse(args)?;
    for &(resource, value) in LIMIT_TABLE {
        limit(resource, value)?;
    }
    bind_to_parent(wish.parent)?;
    if wish.landlock {
        forbid_writes(&wish.write)?;
    }
    let source = Command::new(&wish.program).args(&wish.args).exec();
    Err(ConfineError::Exec { program: wish.program.to_string_lossy().into_owned(), source })
}

#[derive(Debug, Default)]
struct Wish {
    landlock: bool,
    write: Vec<PathBuf>,
    parent: Option<i32>,
    program: OsString,
    args: Vec<OsString>,
}

impl Wish {
    fn parse(args: &[OsString]) -> Result<Wish, ConfineError> {
        let mut wish = Wish::default();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let name = arg.to_string_lossy();
            let mut value =
                || rest.next().ok_or_else(|| ConfineError::Value(name.clone().into_owned()));
            match name.as_ref() {
                "--landlock" => wish.landlock = true,
                "--write" => wish.write.push(PathBuf::from(value()?)),
                "--parent" => wish.parent = number(value()?),
                "--" => {
                    wish.program = rest.next().ok_or(ConfineError::NoCommand)?.clone();
                    wish.args = rest.cloned().collect();
                    return Ok(wish);
                }
                other => return Err(ConfineError::Option(other.to_owned())),
            }
        }
        Err(ConfineError::NoCommand)
    }
}

fn number(text: &OsStr) -> Option<i32> {
    text.to_str()?.parse().ok()
}

fn limit(resource: Resource, value: u64) -> Result<(), ConfineError> {
    let wrong = |e| ConfineError::Limit(format!("{resource:?}"), e);
    let (_, hard) = getrlimit(resource).map_err(wrong)?;
    let value = value.min(hard);
    setrlimit(resource, value, value).map_err(wrong)
}

/// The server dies with us, gains no privileges, and its orphans stay below it. All three
/// survive the exec.
#[cfg(target_os = "linux")]
fn bind_to_parent(parent: Option<i32>) -> Result<(), ConfineError> {
    use nix::sys::{prctl, signal::Signal};
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(ConfineError::Parent)?;
    prctl::set_no_new_privs().map_err(ConfineError::Parent)?;
    prctl::set_child_subreaper(true).map_err(ConfineError::Parent)?;
    // It may have died before we asked to be told.
    match parent {
        Some(pid) if nix::unistd::getppid().as_raw() != pid => Err(ConfineError::Orphaned),
        Some(_) | None => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn bind_to_parent(_: Option<i32>) -> Result<(), ConfineError> {
    Ok(())
}

/// Devices that hold nothing, and the shared memory that semaphores live in.
#[cfg(target_os = "linux")]
const DEVICES: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/random",
    "/dev/shm",
    "/dev/urandom",
    "/dev/zero",
];

/// Reading stays free; writing is refused everywhere but below these paths.
#[cfg(target_os = "linux")]
fn forbid_writes(write: &[PathBuf]) -> Result<(), ConfineError> {
    let status = restrict(write).map_err(|e| ConfineError::Landlock(e.to_string()))?;
    match status {
        landlock::RulesetStatus::FullyEnforced => Ok(()),
        landlock::RulesetStatus::PartiallyEnforced => {
            Err(ConfineError::Landlock("only in part".to_owned()))
        }
        landlock::RulesetStatus::NotEnforced => {
            Err(ConfineError::Landlock("not at all".to_owned()))
        }
    }
}

#[cfg(target_os = "linux")]
fn restrict(write: &[PathBuf]) -> Result<landlock::RulesetStatus, landlock::RulesetError> {
    use landlock::{
        ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, Scope,
    };
    // The third version is the first that also refuses to truncate.
    let writing = AccessFs::from_write(ABI::V3);
    let mut rules = Ruleset::default().handle_access(writing)?;
    // Newer kernels can besides keep signals inside. Asking an older one would count as a failure.
    if Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::from_all(ABI::V6))
        .is_ok()
    {
        rules = rules.scope(Scope::from_all(ABI::V6))?;
    }
    let mut created = rules.create()?;
    let devices = DEVICES.iter().map(PathBuf::from);
    for path in write.iter().cloned().chain(devices) {
        let Ok(fd) = PathFd::new(&path) else { continue };
        // Rights for directories, asked for a file, would be enforced only in part.
        let rights = if path.is_dir() { writing } else { writing & AccessFs::from_file(ABI::V3) };
        created = created.add_rule(PathBeneath::new(fd, rights))?;
    }
    Ok(created.restrict_self()?.ruleset)
}

#[cfg(not(target_os = "linux"))]
fn forbid_writes(_: &[PathBuf]) -> Result<(), ConfineError> {
    Err(ConfineError::Landlock("it is a part of Linux".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_ascii_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn options_end_at_the_dashes_and_the_command_keeps_its_own() {
        let wish = Wish::parse(&words("--landlock --write /a --write /b --parent 7 -- sh -c --"));
        let wish = wish.unwrap();
        assert!(wish.landlock);
        assert_eq!(wish.write, [PathBuf::from("/a"), PathBuf::from("/b")]);
        assert_eq!(wish.parent, Some(7));
        assert_eq!(wish.program, "sh");
        assert_eq!(wish.args, words("-c --"));
    }

    #[test]
    fn a_wrong_option_is_named() {
        let error = Wish::parse(&words("--lock -- sh")).unwrap_err();
        assert!(error.to_string().contains("--lock"), "{error}");
        assert!(matches!(Wish::parse(&words("--")), Err(ConfineError::NoCommand)));
        assert!(matches!(Wish::parse(&words("--write")), Err(ConfineError::Value(_))));
    }
}
