//! Tests of the judging side: rubrics against their documents, their laws, loading, the report,
//! the published schemas.

mod audit;
mod common;
mod dimensions;
mod directory;
mod laws;
mod levels;
mod loading;
