//! Probes that several checks share.

pub mod edge_values;
pub mod limits;
pub mod missing_required;
pub mod repeat;
pub mod round_trip;
pub mod round_trip_marks;
pub mod unknown_tool;
pub mod valid_call;
pub mod vary;
pub mod wrong_type;
