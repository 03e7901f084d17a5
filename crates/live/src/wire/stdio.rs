//! stdio.

#[derive(Debug)]
pub struct Stdio;
