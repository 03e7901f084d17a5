//! Answers that take time: what is left of them travels with the front, which comes back for it.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::Value;

use super::{Session, Turn, tasks};

/// The front shall come back with this work after a while.
#[derive(Debug)]
pub(crate) struct Later {
    pub after: Duration,
    pub work: Work,
}

#[derive(Debug)]
pub(crate) enum Work {
    /// What a call still has to say, one message at a time.
    Saying { request: Value, left: VecDeque<Value>, every: Duration },
    /// `tasks/result` waits for the task to end.
    Result { request: Value, task: String },
}

/// Spreads the messages of a turn over the time that the call takes.
pub(super) fn paced(session: &mut Session, mut turn: Turn, takes: Duration) -> Turn {
    let Some(request) = turn.of.clone() else { return turn };
    let left = VecDeque::from(std::mem::take(&mut turn.says));
    let every = takes / u32::try_from(left.len()).unwrap_or(u32::MAX).max(1);
    session.active.insert(request.to_string());
    turn.later = Some(Later { after: every, work: Work::Saying { request, left, every } });
    turn
}

pub(super) fn resume(session: &mut Session, work: Work) -> Turn {
    match work {
        Work::Saying { request, left, every } => say_next(session, request, left, every),
        Work::Result { request, task } => tasks::result(session, request, &task),
    }
}

/// A cancelled request says nothing more.
fn say_next(
    session: &mut Session,
    request: Value,
    mut left: VecDeque<Value>,
    every: Duration,
) -> Turn {
    let mut turn = Turn { of: Some(request.clone()), ..Turn::default() };
    if !session.active.contains(&request.to_string()) {
        return turn;
    }
    turn.says.extend(left.pop_front());
    if left.is_empty() {
        session.active.remove(&request.to_string());
    } else {
        turn.later = Some(Later { after: every, work: Work::Saying { request, left, every } });
    }
    turn
}
