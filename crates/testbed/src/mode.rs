//! A mode: a correct server, and how it departs from being correct.

use std::time::Duration;

use serde_json::Value;

use crate::rpc;
use crate::server::Server;

/// One mode of the testbed, as data. A mode without a departure is a good server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mode {
    pub name: &'static str,
    pub server: fn() -> Server,
    /// What happens before the first message is read.
    pub start: fn(Duration) -> Vec<Act>,
    /// Turns the correct acts into the ones of this mode.
    pub bend: fn(&Scene<'_>, Vec<Act>) -> Vec<Act>,
    /// What `start` and `bend` take a delay from; the command line may change it.
    pub delay: Duration,
    /// Outlives a closed stdin and SIGTERM (but not [`STUBBORN_FOR`]).
    pub stubborn: bool,
    /// Whether foreign `Origin` and `Host` headers are refused over HTTP.
    pub guards_origin: bool,
    /// Whether a token is asked for over HTTP.
    pub lock: Lock,
    /// What is left open around the endpoint.
    pub slack: Slack,
}

/// Carelessness around an HTTP endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slack {
    None,
    /// A session gets the id that the client brings along.
    ChosenIds,
    /// Session ids are counted.
    CountedIds,
    /// Every page may read the answers, with credentials.
    SharesWithAll,
    /// Broken requests get a stack trace.
    ShowsTraces,
    /// Files of the project are served.
    LeavesFiles,
    BindsEverywhere,
}

/// How the endpoint is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lock {
    /// Not at all.
    Open,
    /// As the specification says.
    Sound,
    /// Any token opens.
    TakesAnything,
    /// Refuses without saying where a token can be had.
    TellsNothing,
    /// Also takes a token from the query string.
    TakesQuery,
    /// Within a session no token is asked for.
    SessionSuffices,
}

/// Even a server that refuses to go goes in the end, so that a failed test leaves no orphan.
pub(crate) const STUBBORN_FOR: Duration = Duration::from_secs(90);

impl Mode {
    pub(crate) const fn good(name: &'static str, server: fn() -> Server) -> Mode {
        Mode {
            name,
            server,
            start: |_| Vec::new(),
            bend: |_, acts| acts,
            delay: Duration::ZERO,
            stubborn: false,
            guards_origin: true,
            lock: Lock::Open,
            slack: Slack::None,
        }
    }

    pub(crate) const fn locked(mut self, lock: Lock) -> Mode {
        self.lock = lock;
        self
    }

    pub(crate) const fn leaving(mut self, slack: Slack) -> Mode {
        self.slack = slack;
        self
    }

    pub(crate) const fn starting(mut self, start: fn(Duration) -> Vec<Act>) -> Mode {
        self.start = start;
        self
    }

    pub(crate) const fn bending(mut self, bend: fn(&Scene<'_>, Vec<Act>) -> Vec<Act>) -> Mode {
        self.bend = bend;
        self
    }

    pub(crate) const fn delaying(mut self, millis: u64) -> Mode {
        self.delay = Duration::from_millis(millis);
        self
    }
}

/// One thing a server process does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Act {
    /// Send a message.
    Say(Value),
    /// Send these characters as a frame, whatever they are.
    Raw(String),
    Wait(Duration),
    /// Write to stderr.
    Complain(String),
    CloseStdout,
    Exit(i32),
}

/// What a departure may look at.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    /// Null when the frame was not JSON.
    pub message: &'a Value,
    /// Requests this process has seen, this one included.
    pub requests: u64,
    /// Tool calls among them.
    pub calls: u64,
    /// The server refused a tool call because of its arguments.
    pub bad_arguments: bool,
    pub delay: Duration,
}

impl Scene<'_> {
    pub(crate) fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or_default()
    }

    pub(crate) fn is_request(&self) -> bool {
        self.message.get("method").is_some() && self.message.get("id").is_some()
    }

    pub(crate) fn is_call(&self) -> bool {
        self.method() == "tools/call" && self.is_request()
    }

    /// The tool that is called, or an empty name.
    pub(crate) fn tool(&self) -> &str {
        if self.is_call() {
            self.message["params"]["name"].as_str().unwrap_or_default()
        } else {
            ""
        }
    }
}

/// Changes every response among the acts.
pub(crate) fn each_response(acts: Vec<Act>, mut change: impl FnMut(&mut Value)) -> Vec<Act> {
    acts.into_iter()
        .map(|mut act| {
            if let Act::Say(message) = &mut act
                && rpc::is_response(message)
            {
                change(message);
            }
            act
        })
        .collect()
}
