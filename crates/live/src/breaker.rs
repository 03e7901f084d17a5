//! Circuit breakers: what the run may still use, and what it has given up on.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use proofmark_core::evidence::{Conditions, Profile, Reply, Skip};

/// A tool that does not answer twice in a row is given up.
const TOOL_TIMEOUTS: u32 = 2;
/// So is one that has taken the server down this often.
const TOOL_CRASHES: u32 = 2;
/// A server that dies of ordinary use is started again this often: its death is the finding.
/// One that dies of bad input is started again up to the limit of the profile, to see the rest.
const UNEXPLAINED: u32 = 1;
/// This many calls unanswered in a row, and we ask whether anyone is there at all.
const DOUBT: u32 = 3;

#[derive(Debug)]
pub(crate) struct Breaker {
    deadline: Instant,
    max_time_ms: u64,
    call_timeout: Duration,
    max_restarts: u32,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    /// Timeouts in a row, by tool.
    timeouts: BTreeMap<String, u32>,
    /// Calls to tools without an answer: in a row, and in all; and calls answered.
    unanswered: u32,
    hung: u32,
    answered: u32,
    /// How often the server died of a call, by tool.
    crashes: BTreeMap<String, u32>,
    restarts: u32,
    /// Deaths that no bad input explains.
    unexplained: u32,
    /// No further restart will be tried.
    gone: bool,
}

impl Breaker {
    pub(crate) fn new(conditions: &Conditions) -> Breaker {
        Breaker {
            deadline: Instant::now() + Duration::from_millis(conditions.max_time_ms),
            max_time_ms: conditions.max_time_ms,
            call_timeout: Duration::from_millis(conditions.call_timeout_ms),
            max_restarts: max_restarts(conditions.profile),
            spent: Mutex::default(),
        }
    }

    /// Why a call to this tool must not be made, if so.
    pub(crate) fn veto(&self, tool: Option<&str>) -> Option<Skip> {
        if self.left().is_zero() {
            return Some(self.out_of_time());
        }
        let spent = self.spent();
        if spent.gone {
            return Some(Skip::ServerGone { restarts: spent.restarts });
        }
        let timeouts = tool.and_then(|t| spent.timeouts.get(t)).copied().unwrap_or(0);
        if timeouts >= TOOL_TIMEOUTS {
            return Some(Skip::ToolAbandoned { timeouts });
        }
        let crashes = tool.and_then(|t| spent.crashes.get(t)).copied().unwrap_or(0);
        (crashes >= TOOL_CRASHES).then_some(Skip::ToolCrashes { crashes })
    }

    /// Takes note of what came of a call.
    pub(crate) fn count(&self, tool: Option<&str>, reply: &Reply) {
        let Some(tool) = tool else { return };
        let mut spent = self.spent();
        match reply {
            Reply::TimedOut { .. } => {
                *spent.timeouts.entry(tool.to_owned()).or_default() += 1;
                spent.unanswered += 1;
                spent.hung += 1;
            }
            Reply::Result { .. } | Reply::Error { .. } | Reply::Malformed { .. } => {
                spent.timeouts.remove(tool);
                spent.unanswered = 0;
                spent.answered += 1;
            }
            Reply::Silence | Reply::Disconnected | Reply::Skipped { .. } => {}
        }
    }

    /// The usual patience, less when not one tool has ever answered.
    pub(crate) fn patience(&self) -> Duration {
        let spent = self.spent();
        if spent.answered == 0 && spent.hung > DOUBT {
            self.call_timeout / 4
        } else {
            self.call_timeout
        }
    }

    /// Several calls in a row went unanswered, and nobody has asked yet whether anyone is there.
    pub(crate) fn doubts(&self) -> bool {
        let mut spent = self.spent();
        let doubts = spent.unanswered >= DOUBT;
        if doubts {
            spent.unanswered = 0;
        }
        doubts
    }

    /// The number of this restart, if one is still allowed.
    pub(crate) fn restart(&self) -> Option<u32> {
        let mut spent = self.spent();
        let tired = spent.unexplained > UNEXPLAINED || spent.restarts >= self.max_restarts;
        if spent.gone || tired {
            spent.gone = true;
            return None;
        }
        spent.restarts += 1;
        Some(spent.restarts)
    }

    pub(crate) fn restarts(&self) -> u32 {
        self.spent().restarts
    }

    /// The server does not come up any more.
    pub(crate) fn give_up(&self) {
        self.spent().gone = true;
    }

    /// The server went away and nothing tells why.
    pub(crate) fn unexplained(&self) {
        self.spent().unexplained += 1;
    }

    /// The server is busy with a call of this tool and hears nobody.
    pub(crate) fn stuck_in(&self, tool: Option<&str>) {
        let mut spent = self.spent();
        spent.unanswered = 0;
        if let Some(tool) = tool {
            *spent.crashes.entry(tool.to_owned()).or_default() += 1;
        }
    }

    /// The server died of this tool's call, twice: that explains an earlier death among others.
    pub(crate) fn died_of(&self, tool: Option<&str>) {
        let mut spent = self.spent();
        if let Some(tool) = tool {
            *spent.crashes.entry(tool.to_owned()).or_default() += 1;
        }
        spent.unexplained = spent.unexplained.saturating_sub(1);
    }

    pub(crate) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    pub(crate) fn out_of_time(&self) -> Skip {
        Skip::TimeBudget { max_ms: self.max_time_ms }
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn max_restarts(profile: Profile) -> u32 {
    match profile {
        Profile::Quick => 3,
        Profile::Standard => 9,
        Profile::Deep => 25,
    }
}
