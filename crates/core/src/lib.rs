//! Judge recorded evidence of an MCP server. Pure: no async, no network, no file system, no clock.
//!
//! The walk: [`evidence::Evidence`] is gathered by `proofmark-live` → [`checks`] turn it into
//! [`check::Finding`]s → a [`rubric::Rubric`] weighs them → [`report::Report`] → [`render`].
//!
//! ```
//! use proofmark_core::{evidence::Evidence, render, report::Report, rubric::Rubric};
//!
//! fn page(file: &[u8]) -> Result<String, Box<dyn std::error::Error>> {
//!     let evidence = Evidence::from_slice(file)?;
//!     let report = Report::of(&evidence, &Rubric::builtin("directory")?);
//!     Ok(render::markdown::markdown(&report))
//! }
//! # let file = proofmark_core::pages::evidence("{}").and_then(|e| e.to_vec().map_err(|e| e.to_string()));
//! # assert!(file.is_ok_and(|file| page(&file).is_ok_and(|page| page.contains("Proofmark"))));
//! ```
//!
//! A check or a rubric of your own, and test cases that others recorded: `docs/library.md`, whose
//! examples are run as tests of this crate.

pub mod abreast;
pub mod acceptable;
pub mod accuracy;
pub mod arguments;
pub mod attack;
pub mod capabilities;
pub mod check;
pub mod checks;
pub mod coded;
pub mod conformance;
pub mod diff;
pub mod dimensions;
pub mod drift;
pub mod event;
pub mod evidence;
pub mod fixtures;
pub mod gate;
pub mod harvest;
pub mod manifest;
pub mod notice;
pub mod pages;
mod pattern;
pub mod percent;
pub mod pin;
pub mod preflight;
pub mod probe;
pub mod probes;
pub mod promise;
pub mod proof;
pub mod readme;
pub mod render;
pub mod report;
pub mod response;
pub mod reuse;
pub mod revision;
pub mod rubric;
pub mod scrub;
pub mod sdk;
pub mod seed;
pub mod sieve;
pub mod spec;
pub mod suggest;
pub mod target;
pub mod versions;
pub mod witnessed;
pub mod wording;

/// The version of this build, stamped into evidence and reports.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Reads the tables that come with the crate. Judging does so itself when it needs them; whoever has
/// evidence to load meanwhile may have it done before, on a thread of its own.
pub fn read_tables() {
    accuracy::Measured::builtin();
    spec::read_tables();
}

/// The examples of the page are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
mod library_page {}
