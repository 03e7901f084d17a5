//! Renderers: one file each, all pure functions of the report.

pub mod badge;
pub mod chart;
pub mod conformance;
pub mod csv;
pub mod cyclonedx;
pub mod definitions;
pub mod diff;
pub mod dimensions;
pub mod directory;
pub mod enterprise;
pub mod escape;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod preflight;
pub mod sarif;
pub mod terminal;
pub mod text;

#[cfg(test)]
pub(crate) mod golden;
#[cfg(test)]
mod hostile;
