//! The specification as data, and how servers are judged by it: requirement by requirement, in
//! every revision they speak.

mod conversation;
pub mod messages;
mod requirement;
mod rule;
pub mod sides;

pub use conversation::{Conversation, Judgement};
pub use requirement::{
    Due, Kind, Level, Named, Requirement, RevisionSet, Testable, requirement, requirements,
};
pub use rule::{Judge, Rule, Ruled, Ruling, Verdict, door, rule, served, table};
pub(crate) use rule::{findings, rulings};
