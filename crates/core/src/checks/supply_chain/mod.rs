//! What it is built from.

mod pinned_command;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[&pinned_command::CHECK];
