//! Legacy HTTP+SSE.

#[derive(Debug)]
pub struct Sse;
