//! A socket on which a server waits for callers.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Listener {
    /// `0.0.0.0` and `::` stand for every interface.
    pub address: String,
    pub port: u16,
}

impl Listener {
    /// Others than this machine can reach it.
    pub fn is_reachable(&self) -> bool {
        match self.address.parse::<IpAddr>().map(|a| a.to_canonical()) {
            Ok(address) => !address.is_loopback(),
            Err(_) => false,
        }
    }
}
