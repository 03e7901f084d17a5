//! What a run took over from an earlier one instead of asking again.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExchangeId;

/// Present in incremental runs, also in the first one, which has nothing to take over yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reuse {
    /// Fingerprint of the program's own files, where they can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Seconds since the epoch: no answer that was taken over is older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// Calls that were not made: the answer is that of the earlier run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<ExchangeId>,
    /// Why nothing at all could be taken over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlike: Option<String>,
    /// Whether answers to attacks could be taken over: only those of the very same program are.
    #[serde(default)]
    pub attacks: bool,
    /// Tools that are new or defined in another way than before.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub changed: BTreeSet<String>,
    /// Tools whose valid call came to something else than before.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub differs: BTreeSet<String>,
}
