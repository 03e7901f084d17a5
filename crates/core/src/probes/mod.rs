//! Probes that several checks share.

pub mod boundary;
mod complete;
pub mod edge_values;
pub mod formats;
pub mod fresh_stateless;
pub mod limits;
pub mod missing_required;
pub mod prompt_get;
pub mod removed_methods;
pub mod repeat;
pub mod resource_read;
pub mod revisions;
pub mod round_trip;
pub mod round_trip_marks;
mod scenario;
pub mod sorts;
pub mod stateless;
pub mod task_handles;
pub mod tasks;
pub mod template_read;
pub mod unknown_tool;
pub mod valid_call;
pub mod vary;
pub mod wrong_type;

pub use scenario::{Category, SCENARIOS, Scenario, category};
