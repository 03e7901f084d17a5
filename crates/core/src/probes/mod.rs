//! Probes that several checks share.

pub mod edge_values;
pub mod missing_required;
pub mod repeat;
pub mod unknown_tool;
pub mod valid_call;
pub mod wrong_type;
