//! Isolation and process care: a server gets a scratch home, a clean environment and as much
//! distance from the machine as the machine offers; whatever it starts is ended with it.
//!
//! A run writes to one place outside the scratch area: where the command is a package launcher
//! (npx, uvx …), its downloads are kept in `$XDG_CACHE_HOME/proofmark/launchers`.
//!
//! The user's own folders and files that a command line names are read-only; behind bubblewrap a
//! server works on copies of them.
//!
//! Servers are the only children that may have a process group of their own: any other child in
//! a foreign group is taken for an orphan of a server and ended with it.
//!
//! Unix only. Linux has the whole set (bubblewrap, landlock, `/proc`); elsewhere a server gets
//! the scratch area, limits and its own process group. Windows is not supported.

pub mod confine;
mod environment;
mod launch;
mod launcher;
mod namespaces;
mod process;
mod reach;
mod registry;
mod scratch;
mod shadow;
mod snapshot;
mod stderr;
mod tree;

pub use launch::{LaunchError, LaunchSpec, launch};
pub use launcher::{Launcher, launcher_cache};
pub use process::Process;
pub use registry::end_all;
pub use scratch::{PLACEHOLDER, Scratch};
pub use snapshot::Snapshot;
pub(crate) use tree::descendants;
