//! What counts as proof of a hole, and why reflecting our input can't fake it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::{Effect, ExchangeId};

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
    /// This path must appear.
    Effect { path: String },
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
    /// A repeated timing difference against a benign control.
    Timing {
        samples_ms: Vec<f64>,
        control_ms: Vec<f64>,
        p: f64,
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
