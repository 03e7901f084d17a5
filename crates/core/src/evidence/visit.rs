//! Requests that our own pages received: a tool fetched something, or was made to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Micros;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Visit {
    pub method: String,
    /// With the query.
    pub path: String,
    pub at: Micros,
}
