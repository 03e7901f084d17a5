//! Why a server did not come up, in words that help: read from exit status, stderr and frames.

mod signs;

use std::sync::LazyLock;
use std::time::Duration;

use proofmark_core::evidence::{DownCause, Exit, Startup};
use regex::Regex;

use crate::isolate::LaunchError;

/// How many lines of stderr go into the verdict.
const TAIL: usize = 20;

/// All that was seen of the attempt.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The first word of the command line, if there was one.
    pub command: Option<String>,
    /// It could not even be started.
    pub launch: Option<LaunchError>,
    /// It has ended.
    pub exit: Option<Exit>,
    /// The last lines, scrubbed.
    pub stderr_tail: Vec<String>,
    /// What came on stdout, or as an HTTP body, and is no message.
    pub garbage: Vec<String>,
    /// Some message arrived, if not the answer we waited for.
    pub heard: bool,
    /// The error with which `initialize` was answered.
    pub refusal: Option<Refusal>,
    /// The address, for servers that have one.
    pub url: Option<String>,
    /// The status of the HTTP answer.
    pub status: Option<u16>,
    /// Where that answer says to ask instead.
    pub location: Option<String>,
    /// Why no connection could be made.
    pub unreachable: Option<String>,
    /// How long we waited.
    pub waited: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: i64,
    pub message: String,
}

/// The verdict: always [`Startup::Down`].
pub fn diagnose(facts: &Facts) -> Startup {
    let verdict = from_launch(facts)
        .or_else(|| from_http(facts))
        .or_else(|| from_signs(facts))
        .unwrap_or_else(|| from_silence(facts));
    let from = facts.stderr_tail.len().saturating_sub(TAIL);
    Startup::Down {
        cause: verdict.cause,
        says: verdict.says,
        way_out: verdict.way_out,
        exit: facts.exit,
        stderr_tail: facts.stderr_tail[from..].to_vec(),
    }
}

#[derive(Debug)]
struct Verdict {
    cause: DownCause,
    says: String,
    way_out: String,
}

impl Verdict {
    fn new(cause: DownCause, says: impl Into<String>, way_out: impl Into<String>) -> Verdict {
        Verdict { cause, says: says.into(), way_out: way_out.into() }
    }
}

fn from_launch(facts: &Facts) -> Option<Verdict> {
    let error = facts.launch.as_ref()?;
    // The message ends with its own way out.
    let text = error.to_string();
    let (says, way_out) = text.split_once("; ").unwrap_or((&text, "check the command line"));
    let cause = match error {
        LaunchError::NotFound { .. }
        | LaunchError::NoSuchFile { .. }
        | LaunchError::NotExecutable { .. }
        | LaunchError::NoDirectory { .. } => DownCause::MissingSoftware,
        LaunchError::Spawn { .. } => DownCause::ExitedEarly,
    };
    Some(Verdict::new(cause, says, way_out))
}

fn from_http(facts: &Facts) -> Option<Verdict> {
    let url = facts.url.as_deref().unwrap_or("the address");
    if let Some(why) = &facts.unreachable {
        return Some(Verdict::new(
            DownCause::Unreachable,
            format!("nothing answers at {url}: {}", shorten(why)),
            "start the server first, and check host, port and scheme of the address",
        ));
    }
    match facts.status? {
        status @ (401 | 403) => Some(Verdict::new(
            DownCause::Unauthorized,
            format!("{url} answered {status}"),
            "give a token with `--bearer-env NAME`, or a header with `--header 'Name: value'`",
        )),
        status @ 300..=399 => {
            let other = facts.location.as_deref().map(|to| elsewhere(url, to));
            let shown = other.as_deref().unwrap_or("another address");
            Some(Verdict::new(
                DownCause::NotMcp,
                format!("{url} answered {status} and sends clients to {shown}"),
                other.as_deref().map_or_else(
                    || "give the address that the server really has".to_owned(),
                    |other| {
                        format!("give that address: `--url {other}`; redirects are not followed")
                    },
                ),
            ))
        }
        status @ (404 | 405) => Some(Verdict::new(
            DownCause::NotMcp,
            format!("{url} answered {status} to `initialize`"),
            "check the path, often /mcp; an older server wants `--sse` and a path such as /sse",
        )),
        status if status >= 400 => Some(Verdict::new(
            DownCause::NotMcp,
            format!("{url} answered {status} to `initialize`{}", quoted(facts.garbage.first())),
            "look at the server's own log; a gateway in front of it may be the one that answers",
        )),
        _ => None,
    }
}

/// The whole address that a redirect names.
fn elsewhere(url: &str, to: &str) -> String {
    let joined = reqwest::Url::parse(url).and_then(|base| base.join(to));
    joined.map_or_else(|_| to.to_owned(), String::from)
}

fn from_signs(facts: &Facts) -> Option<Verdict> {
    let refusal = facts.refusal.iter().map(|r| r.message.as_str());
    let lines: Vec<String> = facts
        .garbage
        .iter()
        .chain(&facts.stderr_tail)
        .map(String::as_str)
        .chain(refusal)
        .map(plain)
        .filter(|line| !line.trim().is_empty())
        .collect();
    let found = signs::find(&lines, facts.exit.is_none())?;
    let usage = found.line.trim().to_ascii_lowercase().starts_with("usage");
    let line = lines.iter().map(String::as_str).rfind(|l| usage && is_error(l));
    let says = format!("{}: `{}`", state(facts), shorten(line.unwrap_or(found.line)));
    Some(Verdict { cause: found.cause, says, way_out: found.way_out(facts.command.as_deref()) })
}

/// Nothing that was said is known to us.
fn from_silence(facts: &Facts) -> Verdict {
    let told = || facts.stderr_tail.iter().rev().filter(|l| !l.trim().is_empty());
    let last = told().find(|l| is_error(l)).or_else(|| told().next());
    if let Some(refusal) = &facts.refusal {
        return Verdict::new(
            DownCause::InitializeError,
            format!("{}: `{}`", state(facts), shorten(&refusal.message)),
            "read the error; it may want a setting (`--env NAME=…`) or another revision (`--protocol`)",
        );
    }
    match facts.exit {
        Some(Exit::Code { code: 127 }) => Verdict::new(
            DownCause::MissingSoftware,
            format!("{}{}", state(facts), quoted(last)),
            "a program that the command needs is not installed, or not on the PATH",
        ),
        Some(_) => Verdict::new(
            DownCause::ExitedEarly,
            format!("{}{}", state(facts), quoted(last.or(facts.garbage.last()))),
            "run the command by hand; what it prints tells what it needs (`--env`, `--cwd`, arguments)",
        ),
        None if facts.garbage.is_empty() && !facts.heard => Verdict::new(
            DownCause::SilentHang,
            format!("{}{}", state(facts), quoted(last)),
            "if it starts slowly, allow more with `--startup-timeout`; it may also wait for a service, \
             a login or the network, or speak HTTP and not stdio (`--url`)",
        ),
        None => Verdict::new(
            DownCause::NotMcp,
            format!("{}{}", state(facts), quoted(facts.garbage.first())),
            match facts.url {
                Some(_) => {
                    "look at the evidence (`--evidence FILE`): what came is no answer that a client can read"
                }
                None => "check that this command starts the MCP server itself, in stdio mode",
            },
        ),
    }
}

/// Programs that tell what is wrong often explain their options after it.
fn is_error(line: &str) -> bool {
    let lower = line.trim().to_ascii_lowercase();
    ["error", "fatal", "panic"].iter().any(|word| lower.starts_with(word))
}

/// What became of it, as the beginning of a sentence.
fn state(facts: &Facts) -> String {
    match (&facts.refusal, facts.exit) {
        (Some(refusal), _) => format!("it answered `initialize` with error {}", refusal.code),
        (None, Some(Exit::Code { code })) => {
            format!("it ended with code {code} before it answered")
        }
        (None, Some(Exit::Signal { signal })) => {
            format!("it was ended by signal {signal} before it answered")
        }
        (None, None) if facts.garbage.is_empty() => {
            format!("no answer came within {}", seconds(facts.waited))
        }
        (None, None) => {
            format!("something came within {}, but no answer", seconds(facts.waited))
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

fn quoted(line: Option<&String>) -> String {
    line.map(|line| format!(": `{}`", shorten(&plain(line)))).unwrap_or_default()
}

/// Without colours and cursor movements.
fn plain(line: &str) -> String {
    static ESCAPES: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|[\x00-\x08]").ok());
    match ESCAPES.as_ref() {
        Some(escapes) => escapes.replace_all(line, "").into_owned(),
        None => line.to_owned(),
    }
}

fn shorten(text: &str) -> String {
    const LONG: usize = 200;
    let text = text.trim().replace('`', "'");
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod last_words;
#[cfg(test)]
mod tests;
