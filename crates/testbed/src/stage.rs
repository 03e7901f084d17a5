//! A mode at work: takes frames, lets the correct server answer, bends the answer.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::Error;
use crate::mode::{Act, Mode, Scene};
use crate::modes;
use crate::mutant::{self, Counter, Engine, Flaw, Heard};
use crate::rpc::{self, PARSE_ERROR, Refusal};
use crate::server::{Server, Session, Turn};

#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) mode: &'static Mode,
    server: Server,
    delay: Duration,
    requests: u64,
    calls: u64,
    /// The defect, if there is one beside those of the mode.
    pub(crate) mutant: Option<Arc<Engine>>,
    matches: Counter,
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
        Ok(Stage {
            mode,
            server: (mode.server)(),
            delay,
            requests: 0,
            calls: 0,
            mutant: None,
            matches: Counter::default(),
        })
    }

    /// The same with a defect from the table of mutants.
    pub(crate) fn mutated(mut self, mutant: Option<&str>) -> Result<Stage, Error> {
        if let Some(id) = mutant {
            self.mutant = Some(Arc::new(Engine::new(mutant::find(id)?)));
        }
        Ok(self)
    }

    pub(crate) fn start(&self) -> Vec<Act> {
        let acts = (self.mode.start)(self.delay);
        self.mutant.iter().fold(acts, |acts, mutant| mutant.at_start(acts))
    }

    /// What is done once nobody can be heard any more.
    pub(crate) fn end(&self) -> Vec<Act> {
        self.mutant.as_ref().map_or_else(Vec::new, |mutant| mutant.at_end())
    }

    pub(crate) fn is_stubborn(&self) -> bool {
        self.mode.stubborn || self.mutant.as_ref().is_some_and(|m| m.has(Flaw::OutlivesStdin))
    }

    pub(crate) fn take(&mut self, session: &mut Session, frame: &[u8]) -> Played {
        let mut message = serde_json::from_slice::<Value>(frame);
        let mutant = self.mutant.clone();
        let hearing = mutant.as_ref().map(|mutant| {
            let heard = Heard::new(message.as_ref().ok(), session.revision);
            mutant.hear(heard, message.as_mut().ok(), &mut self.matches)
        });
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
        let mut acts = (self.mode.bend)(&scene, acts);
        if let (Some(mutant), Some(hearing)) = (mutant, hearing) {
            acts = mutant.bend(&hearing, acts);
        }
        Played { of: turn.of, acts, open: turn.open }
    }
}
