//! What it is built from.

mod install_scripts;
mod known_vulnerabilities;
mod licences_allowed;
mod lock_file;
mod lookalike_names;
mod pinned_command;
mod prohibited_libraries;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &install_scripts::CHECK,
    &known_vulnerabilities::CHECK,
    &licences_allowed::CHECK,
    &lock_file::CHECK,
    &lookalike_names::CHECK,
    &pinned_command::CHECK,
    &prohibited_libraries::CHECK,
];
