//! Probes that several checks share.

pub mod boundary;
mod complete;
pub mod edge_values;
pub mod features;
pub mod formats;
pub mod fresh_stateless;
pub mod http;
pub mod http_more;
pub mod http_stateless;
pub mod input_rounds;
pub mod legacy_sse;
pub mod limits;
pub mod listings;
pub mod profiles;
pub mod prompt_get;
pub mod refusals;
pub mod removed_methods;
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
pub mod wrong_input;

pub use scenario::{Category, SCENARIOS, Scenario, category};
