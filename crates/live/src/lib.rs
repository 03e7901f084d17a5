//! Gather evidence from an MCP server: the only code that touches one.

pub mod canary;
pub mod isolate;
pub mod record;
pub mod startup;
pub mod wire;
