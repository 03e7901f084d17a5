//! Does it refuse bad requests well.

mod unknown_tool;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[&unknown_tool::CHECK];
