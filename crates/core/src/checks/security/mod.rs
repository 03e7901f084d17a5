//! Can it be turned against its user.

mod command_injection;
mod dns_rebinding;
mod env_leak;
mod error_discloses_internals;
mod hidden_unicode;
mod open_http;
mod path_traversal;
mod secrets_in_definitions;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &command_injection::CHECK,
    &dns_rebinding::CHECK,
    &env_leak::CHECK,
    &error_discloses_internals::CHECK,
    &hidden_unicode::CHECK,
    &open_http::CHECK,
    &path_traversal::CHECK,
    &secrets_in_definitions::CHECK,
];
