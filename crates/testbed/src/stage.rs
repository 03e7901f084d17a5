//! A mode at work: takes frames, lets the correct server answer, bends the answer.

use std::time::Duration;

use serde_json::Value;

use crate::Error;
use crate::mode::{Act, Mode, Scene};
use crate::modes;
use crate::rpc::{self, PARSE_ERROR, Refusal};
use crate::server::{Server, Session, Turn};

#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) mode: &'static Mode,
    server: Server,
    delay: Duration,
    requests: u64,
    calls: u64,
}

/// What is to be done about one frame.
#[derive(Debug)]
pub(crate) struct Played {
    /// The request that the messages belong to.
    pub(crate) of: Option<Value>,
    pub(crate) acts: Vec<Act>,
    /// Its answer is still to come.
    pub(crate) open: bool,
}

impl Stage {
    pub(crate) fn of(mode: &str, delay: Option<Duration>) -> Result<Stage, Error> {
        let mode = modes::find(mode).ok_or_else(|| Error::UnknownMode(mode.to_owned()))?;
        let delay = delay.unwrap_or(mode.delay);
        Ok(Stage { mode, server: (mode.server)(), delay, requests: 0, calls: 0 })
    }

    pub(crate) fn start(&self) -> Vec<Act> {
        (self.mode.start)(self.delay)
    }

    pub(crate) fn take(&mut self, session: &mut Session, frame: &[u8]) -> Played {
        let message = serde_json::from_slice::<Value>(frame);
        let turn = match &message {
            Ok(message) => self.server.handle(session, message),
            Err(_) => {
                let refusal = Refusal::new(PARSE_ERROR, "the frame is not valid JSON");
                Turn { says: vec![rpc::error(None, refusal)], ..Turn::default() }
            }
        };
        let message = message.unwrap_or(Value::Null);
        let is_request = message.get("id").is_some() && message.get("method").is_some();
        self.requests += u64::from(is_request);
        self.calls += u64::from(is_request && message["method"] == "tools/call");
        let scene = Scene {
            message: &message,
            requests: self.requests,
            calls: self.calls,
            bad_arguments: turn.bad_arguments,
            delay: self.delay,
        };
        let acts = turn.says.into_iter().map(Act::Say).collect();
        Played { of: turn.of, acts: (self.mode.bend)(&scene, acts), open: turn.open }
    }
}
