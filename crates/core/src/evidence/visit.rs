//! Requests that our own pages received: a tool fetched something, or was made to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Micros;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Visit {
    /// `TCP` for one who does not speak HTTP.
    pub method: String,
    /// With the query; of one who does not speak HTTP, what it said.
    pub path: String,
    pub at: Micros,
}
