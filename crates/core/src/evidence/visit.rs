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
    /// A header of the name that we give to those we write ourselves, with its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The name of a header that carries a key of whoever came; not one that an address can hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<String>,
    /// The beginning of what was sent there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    pub at: Micros,
}
