//! Can it be turned against its user.

mod answers_change;
mod command_injection;
mod definition_drift;
mod definitions_change;
mod dns_rebinding;
mod env_leak;
mod error_discloses_internals;
mod hidden_unicode;
mod open_http;
mod path_traversal;
mod secrets_in_definitions;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &answers_change::CHECK,
    &command_injection::CHECK,
    &definition_drift::CHECK,
    &definitions_change::CHECK,
    &dns_rebinding::CHECK,
    &env_leak::CHECK,
    &error_discloses_internals::CHECK,
    &hidden_unicode::CHECK,
    &open_http::CHECK,
    &path_traversal::CHECK,
    &secrets_in_definitions::CHECK,
];
