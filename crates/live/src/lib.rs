//! Gather evidence from an MCP server: the only code that touches one.

pub mod canary;
pub mod gather;
pub mod isolate;
pub mod options;
pub mod record;
pub mod source;
pub mod startup;
pub mod store;
pub mod wire;

pub use gather::{GatherError, gather};
pub use options::Options;
