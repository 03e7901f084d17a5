//! Can it be turned against its user.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
