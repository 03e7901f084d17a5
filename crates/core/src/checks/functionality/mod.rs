//! Does it do what it offers.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
