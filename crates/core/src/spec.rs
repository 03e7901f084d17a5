//! The specification as data, and how servers are judged by it: requirement by requirement, in
//! every revision they speak.

pub mod calls;
mod conversation;
pub mod door;
pub mod frame;
pub mod grammar;
mod inherited;
pub mod listing;
pub mod messages;
pub mod mirrored;
mod requirement;
mod rule;
pub mod sides;
mod visit;

pub use conversation::{Conversation, Judgement};
pub use door::Door;
pub use inherited::{Fault, Origin, origin};
pub use requirement::{
    Due, Kind, Level, Named, Requirement, RevisionSet, Testable, requirement, requirements,
};
pub use rule::{Judge, Rule, Ruled, Ruling, Verdict, door, jammed, rule, served, table};
pub(crate) use rule::{findings, rulings};
pub use visit::{Visit, is_response};

/// Requirements, and what is known of SDKs.
pub(crate) fn read_tables() {
    requirements();
    inherited::recorded();
}
