//! What it is built from.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
