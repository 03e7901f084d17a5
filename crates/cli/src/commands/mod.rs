//! The commands, one file each.

mod accuracy;
mod assess;
mod call;
mod checks;
mod completions;
mod conformance;
mod demo;
mod diff;
mod dimensions;
mod dispatch;
mod explain;
mod init;
mod judging;
mod pin;
mod preflight;
mod rubric;
mod score;

pub(crate) use dispatch::run;
