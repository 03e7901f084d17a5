//! The five-dimension evaluation: recorded test cases judged one by one, and what they come to.
//!
//! The walk: a [`Recording`] (a `test_report_*.json`, or our own evidence) → [`judge`] gives each
//! [`Case`] a [`Verdict`] → [`Evaluation`] turns the rates behind them into points by the bands of
//! the `dimensions` rubric. No model is needed; where one was asked, its answers take the place of
//! ours case by case.

pub mod ask;
mod case;
mod category;
mod credit;
mod dimension;
mod evaluation;
mod explain;
mod export;
mod flag;
mod latency;
mod opinion;
mod outcome;
mod profile;
mod reason;
mod recording;
mod threat;
mod verdict;
mod vote;
mod words;

pub use case::{Case, Said};
pub use category::Category;
pub use credit::Credit;
pub use dimension::{Dimension, DimensionScore, Example};
pub use evaluation::{CaseVerdict, Evaluation, SCHEMA};
pub use flag::Flag;
pub use latency::ToolKind;
pub use opinion::{Answer, Help, JudgedBy, Left, Mode, Opinion};
pub use outcome::Outcome;
pub use profile::Profile;
pub use reason::{Reason, Told};
pub use recording::{RecordedTool, Recording, RecordingError};
pub use verdict::{Standing, Verdict, Word, judge};
