//! Rules of directories and organisations.

mod absolute_paths;
mod annotations_present;
mod licence_present;
mod platform_only;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &absolute_paths::CHECK,
    &annotations_present::CHECK,
    &licence_present::CHECK,
    &platform_only::CHECK,
];
