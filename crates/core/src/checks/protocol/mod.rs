//! Does it speak the protocol as specified.

use crate::check::Check;

pub const CHECKS: &[&Check] = &[];
