//! Can people find out how to use it.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
