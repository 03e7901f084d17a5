//! Rules of directories and organisations.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
