//! How far we got: into a session, or no farther than the door.

use serde_json::Value;

use crate::evidence::{Direction, DownCause, Evidence, Frame, Startup};
use crate::target::Transport;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// A session came about.
    Open,
    /// None did for want of a credential.
    Locked,
    /// Messages came over HTTP, but not so that a client could read them.
    Jammed,
}

impl Door {
    /// `None`: nobody was at home.
    pub fn of(evidence: &Evidence) -> Option<Door> {
        let Startup::Down { cause, .. } = &evidence.startup else { return Some(Door::Open) };
        let http = match evidence.conditions.transport {
            Transport::Http | Transport::Sse => true,
            Transport::Stdio | Transport::None => false,
        };
        match cause {
            DownCause::Unauthorized | DownCause::MissingCredential => Some(Door::Locked),
            DownCause::MissingNetwork
            | DownCause::MissingSoftware
            | DownCause::BrokenDependency
            | DownCause::InitializeError
            | DownCause::SilentHang
            | DownCause::ExitedEarly
            | DownCause::Unreachable
            | DownCause::NotMcp => (http && heard(evidence).any(speaks)).then_some(Door::Jammed),
        }
    }
}

/// What came, from the first to the last.
pub fn heard(evidence: &Evidence) -> impl Iterator<Item = &Frame> {
    evidence.frames.iter().filter(|f| f.direction == Direction::Received)
}

/// The name of the event that this is, if it is one.
pub fn event_name(frame: &Frame) -> Option<&str> {
    let field = |key| frame.text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    field("event:").or_else(|| field("data:").map(|_| "message"))
}

pub fn is_message(frame: &Frame) -> bool {
    frame.message().as_ref().and_then(|m| m.get("jsonrpc")).and_then(Value::as_str) == Some("2.0")
}

fn speaks(frame: &Frame) -> bool {
    is_message(frame) || event_name(frame).is_some()
}
