//! Probes that several checks share.

pub mod unknown_tool;
