//! stdio
pub struct Stdio;
