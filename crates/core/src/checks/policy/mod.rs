//! Rules of directories and organisations.

mod annotations_present;
mod licence_present;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[&annotations_present::CHECK, &licence_present::CHECK];
