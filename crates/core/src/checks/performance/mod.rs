//! Does it answer in good time.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
