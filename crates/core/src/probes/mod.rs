//! Probes that several checks share.

pub mod auth;
pub mod boundary;
mod complete;
pub mod edge_values;
pub mod limits;
pub mod missing_required;
pub mod prompt_get;
pub mod repeat;
pub mod resource_read;
pub mod revisions;
pub mod round_trip;
pub mod round_trip_marks;
mod scenario;
pub mod sorts;
pub mod stateless;
pub mod template_read;
pub mod unknown_tool;
pub mod valid_call;
pub mod vary;
pub mod wrong_type;

pub use scenario::{Category, SCENARIOS, Scenario, category};
