//! Gather evidence from an MCP server: the only code that touches one.

mod advisories;
mod breaker;
pub mod call;
pub mod canary;
mod clock;
pub mod connect;
pub mod content;
pub mod gather;
pub mod ground;
pub mod inventory;
pub mod isolate;
pub mod judge;
mod listening;
pub mod notify;
mod observe;
pub mod options;
mod packed;
mod program;
pub mod record;
mod rehearsal;
mod runner;
pub mod schedule;
pub mod session;
mod sides;
mod site;
pub mod source;
pub mod startup;
pub mod store;
mod takeover;
mod tokens;
pub mod wire;

pub use advisories::Lookup;
pub use clock::today;
pub use gather::{GatherError, gather};
pub use options::{Incremental, Options};
