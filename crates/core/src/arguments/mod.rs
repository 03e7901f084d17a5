//! Sample arguments from JSON Schema: what a reasonable caller would send.

mod context;
mod meaning;
mod number;
mod place;
mod sample;
mod schema;
mod text;

pub use context::Context;
pub use meaning::Meaning;
pub use place::{Place, places};
pub use sample::{Fill, sample};
pub use schema::{validator, violates};
