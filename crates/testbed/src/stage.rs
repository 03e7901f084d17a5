//! A mode at work: takes frames, lets the correct server answer, bends the answer. Every message
//! of a server leaves through here.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::Error;
use crate::change::Change;
use crate::mode::{Act, Mode, Scene};
use crate::modes;
use crate::mutant::{self, Counter, Engine, Flaw, Heard, Hearing};
use crate::revision::Revision;
use crate::rpc;
use crate::server::{Later, Server, Session, Turn, Work};

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
#[derive(Debug, Default)]
pub(crate) struct Played {
    /// The request that the messages belong to.
    pub(crate) of: Option<Value>,
    pub(crate) acts: Vec<Act>,
    /// Its answer is still to come.
    pub(crate) open: bool,
    /// It was a notification that is not well-formed: why.
    pub(crate) mangled: Option<&'static str>,
    /// To be taken up again after a while, once the acts are done.
    pub(crate) pending: Option<Pending>,
    /// What every client is to be told of.
    pub(crate) changes: Vec<Change>,
}

/// The rest of an answer that takes time.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) after: Duration,
    message: Value,
    hearing: Option<Hearing>,
    work: Work,
}

/// Acts outside any answer, and the subscription they belong to if that has a stream.
#[derive(Debug)]
pub(crate) struct Aloud {
    pub(crate) subscription: Option<Value>,
    pub(crate) acts: Vec<Act>,
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
    pub(crate) fn mutated(mut self, mutant: &str) -> Result<Stage, Error> {
        self.mutant = Some(Arc::new(Engine::new(mutant::find(mutant)?)));
        Ok(self)
    }

    pub(crate) fn start(&self) -> Vec<Act> {
        let acts = (self.mode.start)(self.delay);
        self.mutant.iter().fold(acts, |acts, mutant| mutant.at_start(acts))
    }

    pub(crate) fn is_stubborn(&self) -> bool {
        self.mode.stubborn || self.mutant.as_ref().is_some_and(|m| m.has(Flaw::OutlivesStdin))
    }

    pub(crate) fn take(&mut self, session: &mut Session, frame: &[u8]) -> Played {
        let mut message = rpc::parse(frame);
        let hearing = self.mutant.as_ref().map(|mutant| {
            let heard = Heard::new(message.as_ref().ok(), session.revision);
            mutant.hear(heard, message.as_mut().ok(), &mut self.matches)
        });
        let (message, mut turn) = match message {
            Ok(message) => {
                let turn = self.server.handle(session, &message);
                (message, turn)
            }
            Err(unread) if unread.is_notification => (Value::Null, Turn::default()),
            Err(unread) => {
                let says = vec![rpc::error(unread.id.as_ref(), unread.refusal)];
                (Value::Null, Turn { says, ..Turn::default() })
            }
        };
        if session.revision.is_some_and(|r| r < Revision::V2025_11_25) {
            turn.says = turn.says.into_iter().map(rpc::with_null_id).collect();
        }
        let is_request = message.get("id").is_some() && message.get("method").is_some();
        self.requests += u64::from(is_request);
        self.calls += u64::from(is_request && message["method"] == "tools/call");
        self.play(message, hearing, turn)
    }

    /// Goes on with an answer that takes time.
    pub(crate) fn resume(&mut self, session: &mut Session, pending: Pending) -> Played {
        let turn = self.server.resume(session, pending.work);
        self.play(pending.message, pending.hearing, turn)
    }

    /// What this client hears of the changes.
    pub(crate) fn tell(&self, session: &Session, changes: &[Change]) -> Vec<Aloud> {
        let told = changes.iter().flat_map(|change| self.server.tell(session, change));
        told.map(|(subscription, said)| {
            let mut acts = self.bend(&Value::Null, vec![said], false);
            if let Some(mutant) = &self.mutant {
                let stateless = subscription.as_ref().map(|_| Revision::V2026_07_28);
                acts = mutant.tell(stateless.or(session.revision), acts);
            }
            Aloud { subscription, acts }
        })
        .collect()
    }

    pub(crate) fn input_schema(&self, tool: &str) -> Option<Value> {
        self.server.tools.iter().find(|t| t.name == tool).map(|t| t.input.clone())
    }

    /// What this client hears when the server goes.
    pub(crate) fn farewell(&self, session: &mut Session) -> Vec<Act> {
        let says = self.server.farewell(session);
        let acts = if says.is_empty() { Vec::new() } else { self.bend(&Value::Null, says, false) };
        self.mutant.iter().fold(acts, |acts, mutant| mutant.at_end(acts))
    }

    fn play(&mut self, message: Value, hearing: Option<Hearing>, turn: Turn) -> Played {
        // A turn that only waits says nothing that could be bent.
        let mut acts = if turn.says.is_empty() && turn.later.is_some() {
            Vec::new()
        } else {
            self.bend(&message, turn.says, turn.bad_arguments)
        };
        if let (Some(mutant), Some(hearing)) = (&self.mutant, &hearing) {
            acts = mutant.bend(hearing, turn.open || turn.later.is_some(), acts);
        }
        let pending =
            turn.later.map(|Later { after, work }| Pending { after, message, hearing, work });
        let changes = self.server.world.take_changes();
        Played { of: turn.of, acts, open: turn.open, mangled: turn.mangled, pending, changes }
    }

    fn bend(&self, message: &Value, says: Vec<Value>, bad_arguments: bool) -> Vec<Act> {
        let scene = Scene {
            message,
            requests: self.requests,
            calls: self.calls,
            bad_arguments,
            delay: self.delay,
        };
        (self.mode.bend)(&scene, says.into_iter().map(Act::Say).collect())
    }
}
