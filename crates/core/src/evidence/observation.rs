//! What the processes of a server did while one call was under way and no other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExchangeId;

/// Only for calls made alone, to a server that we started, where the system tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    pub exchange: ExchangeId,
    /// Processor time, of processes that have ended as well.
    pub cpu_ms: u64,
    /// Resident memory afterwards.
    pub memory_kib: u64,
    /// How much more that is than before.
    pub grown_kib: i64,
    /// How much the most that it ever had rose meanwhile: what was freed before the answer counts.
    #[serde(default)]
    pub peak_kib: u64,
    /// A process was started, whether it still runs or has ended.
    pub started_process: bool,
}
