//! Renderers: one file each, all pure functions of the report.

pub mod chart;
pub mod conformance;
pub mod cyclonedx;
pub mod definitions;
pub mod dimensions;
pub mod html;
pub mod json;
pub mod terminal;
pub mod text;

#[cfg(test)]
mod golden;
