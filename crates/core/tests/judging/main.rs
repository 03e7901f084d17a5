//! Tests of the judging side: rubrics against their documents, their laws, loading, the report,
//! the published schemas.

#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "helpers of tests fail the test; clippy spares only the test functions themselves"
)]

mod audit;
mod common;
mod components;
mod dimensions;
mod directory;
mod documents;
mod evidence_file;
mod laws;
mod levels;
mod loading;
mod origins;
mod report;
mod requirements;
mod responses;
mod sdk;
mod traces;
