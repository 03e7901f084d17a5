//! Rules of directories and organisations.

mod acceptable_use;
mod annotations_present;
mod external_services;
mod file_size;
mod licence_present;
mod manifest_agrees;
mod manifest_valid;
mod personal_data_handling;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &acceptable_use::CHECK,
    &annotations_present::CHECK,
    &external_services::CHECK,
    &file_size::CHECK,
    &licence_present::CHECK,
    &manifest_agrees::CHECK,
    &manifest_valid::CHECK,
    &personal_data_handling::CHECK,
];
