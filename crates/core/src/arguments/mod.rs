//! Sample arguments from JSON Schema: what a reasonable caller would send.

mod checker;
mod choice;
mod context;
mod described;
mod format;
mod given;
mod growth;
mod lessons;
mod meaning;
mod merge;
mod number;
mod object;
mod pattern;
mod place;
mod sample;
mod schema;
mod text;
mod walk;
mod wrap;

pub use checker::{Checker, plain};
pub use choice::{choices, described, switched};
pub use context::Context;
pub(crate) use described::enumerated;
pub use described::{listed_values, range as told_range, told_default, told_example};
pub use meaning::Meaning;
pub use place::{BENIGN, Place, Slot, places, places_of};
pub use sample::{Fill, sample};
pub use schema::{pointer_to, validator, violates};
pub use wrap::{Wrap, decoded};
