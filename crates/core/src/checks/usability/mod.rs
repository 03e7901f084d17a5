//! Can a model find and fill the right tool.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
