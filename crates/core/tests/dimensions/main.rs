//! The five-dimension evaluation: reading, judging, scoring, drawing.
#![expect(
    clippy::unwrap_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

mod judging;
mod reading;
mod scoring;
mod suite;
