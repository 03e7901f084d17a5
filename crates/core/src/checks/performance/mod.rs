//! Does it answer in good time.

mod latency;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[&latency::CHECK];
