//! Streamable HTTP.

#[derive(Debug)]
pub struct Http;
