//! What counts as proof of a hole, and why reflecting our input can't fake it.

mod above;
mod differential;
mod text;
mod timing;

pub use differential::{is_alike, told};
pub use text::{
    asks, becomes, came_back, has_member, has_text, lists, members_of, payload, says, sends_member,
    twin,
};
pub(crate) use text::{json_in, pairs_in};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use text::overrules;

use crate::evidence::{Effect, Evidence, Exchange, ExchangeId, Visit};

/// Fixed before the call is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Oracle {
    /// The reply must contain `expected`, which only computing the payload yields and which does
    /// not stand in the request.
    Computed { expected: String },
    /// The reply must contain the value of this canary.
    Planted { canary: String },
    /// Our listener must receive this token.
    Callback { token: String },
    /// Our listener must be visited while the call is under way. Only for calls that are made alone,
    /// where the tool leaves no room for a token.
    Visit {},
    /// Our listener must receive this token in a header of its own, which we wrote.
    Header { token: String },
    /// The reply must be JSON that has a member of this name and value where the request has none.
    Member { name: String, value: String },
    /// The reply must be JSON that lists this as an item of its own, which the request has only
    /// within a longer text.
    Listed { name: String },
    /// Something must happen to this path, or to one that goes on from it with an ending or below it.
    Effect { path: String },
    /// A file of this name must appear above the folder in which one of the other name does, which stood
    /// in the same place before.
    Above { name: String, ordinary: String },
    /// The answers of a group must follow the truth of a condition: the true ones alike, the false
    /// ones alike, the two kinds unlike.
    Differential { group: String, truth: bool },
    /// The calls of a group that ask for a delay must take longer than those that ask for none.
    Timing { group: String, delay_ms: u64 },
    /// Any of these.
    Any { of: Vec<Oracle> },
}

/// Evidence that the server could not have produced by reflecting its input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Proof {
    /// The payload was executed: its computed value came back.
    Computed {
        payload: String,
        expected: String,
    },
    /// The content of a planted file or variable came back.
    PlantedContent {
        canary: String,
    },
    /// Our loopback listener was called with the token.
    Callback {
        token: String,
    },
    SideEffect {
        effect: Effect,
    },
    /// The answers follow the truth of conditions that only an interpreter can judge.
    Differential {
        truths: Vec<ExchangeId>,
        falsehoods: Vec<ExchangeId>,
    },
    /// A repeated timing difference against a benign control.
    Timing {
        samples_ms: Vec<f64>,
        control_ms: Vec<f64>,
        p: f64,
    },
    /// An answer many times as long as that to the control, or memory for it, for a request that is
    /// short itself.
    Amplified {
        bytes: u64,
        control_bytes: u64,
    },
    /// Two answers of the server that cannot both be true.
    Contradiction {
        a: ExchangeId,
        b: ExchangeId,
    },
    /// Static: the offending text itself, and the rule it breaks.
    Quoted {
        text: String,
        rule: String,
    },
}

impl Proof {
    /// How much it shows of the hole: the lower, the better to show to people.
    pub fn rank(&self) -> u8 {
        match self {
            Proof::PlantedContent { .. } | Proof::Callback { .. } | Proof::Quoted { .. } => 0,
            Proof::Computed { .. } | Proof::SideEffect { .. } | Proof::Amplified { .. } => 1,
            Proof::Differential { .. } | Proof::Contradiction { .. } => 2,
            Proof::Timing { .. } => 3,
        }
    }
}

impl Oracle {
    /// What must come back, must not have been sent, and must not be in the benign twin's answer.
    pub fn computed(expected: impl Into<String>) -> Oracle {
        Oracle::Computed { expected: expected.into() }
    }

    /// The proof that this exchange gives, if what was fixed before sending came true.
    pub fn proof(&self, evidence: &Evidence, exchange: &Exchange) -> Option<Proof> {
        match self {
            Oracle::Computed { expected } => {
                let computed = came_back(evidence, exchange, expected)
                    || text::is_shown_later(evidence, exchange, expected);
                computed.then(|| Proof::Computed {
                    payload: payload(exchange),
                    expected: expected.clone(),
                })
            }
            Oracle::Planted { canary } => {
                let planted = evidence.conditions.canaries.iter().find(|c| c.id == *canary)?;
                let came = came_back(evidence, exchange, &planted.value)
                    || text::is_taken_up(evidence, exchange, &planted.value);
                came.then(|| Proof::PlantedContent { canary: canary.clone() })
            }
            Oracle::Callback { token } => {
                let called = evidence.visits.iter().any(|v| v.path.contains(token.as_str()));
                called.then(|| Proof::Callback { token: token.clone() })
            }
            Oracle::Visit {} => {
                let (from, to) = (exchange.started.0, exchange.started.0 + exchange.took.0);
                let visit = evidence.visits.iter().find(|v| (from..=to).contains(&v.at.0))?;
                Some(Proof::Callback { token: format!("{} {}", visit.method, visit.path) })
            }
            Oracle::Header { token } => {
                let told = |v: &Visit| v.header.as_deref() == Some(token);
                let called = evidence.visits.iter().any(told);
                called.then(|| Proof::Callback { token: token.clone() })
            }
            Oracle::Member { name, value } => (has_member(&exchange.reply, name, value)
                && (!sends_member(exchange, name) || overrules(evidence, exchange, name, value)))
            .then(|| Proof::Computed {
                payload: payload(exchange),
                expected: format!("{name}: {value}"),
            }),
            Oracle::Listed { name } => {
                let before = twin(evidence, exchange).is_some_and(|t| lists(&t.reply, name));
                let later = || text::taken_up(evidence, exchange).any(|x| lists(&x.reply, name));
                ((lists(&exchange.reply, name) || later()) && !before)
                    .then(|| Proof::Computed { payload: payload(exchange), expected: name.clone() })
            }
            Oracle::Effect { path } => {
                let goes_on = |rest: &str| rest.is_empty() || rest.starts_with(['.', '/']);
                let at = |e: &&Effect| e.path().strip_prefix(path.as_str()).is_some_and(goes_on);
                let effect = evidence.effects.iter().find(at)?;
                Some(Proof::SideEffect { effect: effect.clone() })
            }
            Oracle::Above { name, ordinary } => above::proof(evidence, exchange, name, ordinary),
            Oracle::Differential { group, truth: true } => {
                differential::proof(evidence, exchange, group)
            }
            Oracle::Differential { truth: false, .. } => None,
            Oracle::Timing { group, delay_ms } if *delay_ms > 0 => {
                timing::proof(evidence, exchange, group)
            }
            Oracle::Timing { .. } => None,
            Oracle::Any { of } => of.iter().find_map(|one| one.proof(evidence, exchange)),
        }
    }
}

/// The calls about the same parameter whose oracle is of the same group.
fn group<'a>(
    evidence: &'a Evidence,
    exchange: &'a Exchange,
    of: impl Fn(&Oracle) -> bool,
) -> Vec<&'a Exchange> {
    evidence
        .of(&exchange.probe)
        .filter(|x| x.subject == exchange.subject && x.oracle.as_ref().is_some_and(&of))
        .collect()
}
