//! Can it be turned against its user.

mod command_injection;
mod path_traversal;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[&command_injection::CHECK, &path_traversal::CHECK];
