//! The report for people, on a terminal: what came out, why, and what to do first.

mod areas;
mod conformance;
mod diff;
mod evaluation;
mod findings;
mod head;
mod modules;
mod page;
mod preflight;
mod sheet;
mod sieve;
mod tools;

pub use conformance::conformance;
pub use diff::diff;
pub(in crate::render) use head::{isolation, transport};
pub use page::page;
pub use preflight::preflight;

use crate::evidence::Startup;
use crate::report::Report;
use sheet::Sheet;

/// How the report may look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns; more than [`Style::WIDEST`] is not used.
    pub width: usize,
    pub color: bool,
    /// Bars and signs beyond ASCII.
    pub unicode: bool,
    pub detail: Detail,
}

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The verdict alone.
    Headline,
    /// What matters, cut to a screen or two.
    Normal,
    /// Everything, also what is suspected or unseen.
    Full,
}

impl Style {
    pub const WIDEST: usize = 100;
    const NARROWEST: usize = 40;

    /// 80 columns, no colour.
    pub const PLAIN: Style =
        Style { width: 80, color: false, unicode: true, detail: Detail::Normal };

    fn columns(self) -> usize {
        self.width.clamp(Style::NARROWEST, Style::WIDEST)
    }
}

/// Draws the report. Nothing in it can steer the terminal: see [`super::text::clean`].
pub fn terminal(report: &Report, style: &Style) -> String {
    let mut sheet = Sheet::new(*style);
    head::draw(&mut sheet, report);
    if style.detail == Detail::Headline {
        return sheet.finish();
    }
    let down = matches!(report.startup, Startup::Down { .. });
    if !down {
        areas::draw(&mut sheet, report);
        modules::draw(&mut sheet, report);
        tools::draw(&mut sheet, report);
        evaluation::draw(&mut sheet, report);
    }
    findings::fixes(&mut sheet, report);
    findings::failing(&mut sheet, report);
    findings::suspected(&mut sheet, report);
    sieve::draw(&mut sheet, report);
    // Nothing was seen, and the headline says why: no need to say it for every check.
    if !down || style.detail == Detail::Full {
        findings::unseen(&mut sheet, report);
    }
    head::conditions(&mut sheet, report);
    sheet.finish()
}

#[cfg(test)]
mod tests;
