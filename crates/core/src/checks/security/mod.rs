//! Can it be turned against its user.

mod answers_change;
mod bound_everywhere;
mod cleartext;
mod command_injection;
mod cross_origin;
mod definition_drift;
mod definitions_change;
mod dns_rebinding;
mod env_leak;
mod error_discloses_internals;
mod error_pages;
mod hidden_places;
mod hidden_resources;
mod hidden_unicode;
mod open_http;
mod path_traversal;
mod rate_limit;
mod secrets_in_definitions;
mod session_as_authentication;
mod session_fixation;
mod session_prediction;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &answers_change::CHECK,
    &bound_everywhere::CHECK,
    &cleartext::CHECK,
    &command_injection::CHECK,
    &cross_origin::CHECK,
    &definition_drift::CHECK,
    &definitions_change::CHECK,
    &dns_rebinding::CHECK,
    &env_leak::CHECK,
    &error_discloses_internals::CHECK,
    &error_pages::CHECK,
    &hidden_places::CHECK,
    &hidden_resources::CHECK,
    &hidden_unicode::CHECK,
    &open_http::CHECK,
    &path_traversal::CHECK,
    &rate_limit::CHECK,
    &secrets_in_definitions::CHECK,
    &session_as_authentication::CHECK,
    &session_fixation::CHECK,
    &session_prediction::CHECK,
];
