//! Can it be turned against its user.

mod annotation_deception;
mod command_injection;
mod dns_rebinding;
mod env_leak;
mod error_discloses_internals;
mod hidden_in_answers;
mod hidden_unicode;
mod instructions_in_answers;
mod instructions_in_definitions;
mod lethal_trifecta;
mod open_http;
mod path_traversal;
mod personal_data;
mod secrets_in_answers;
mod secrets_in_definitions;
mod tool_shadowing;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &annotation_deception::CHECK,
    &command_injection::CHECK,
    &dns_rebinding::CHECK,
    &env_leak::CHECK,
    &error_discloses_internals::CHECK,
    &hidden_in_answers::CHECK,
    &hidden_unicode::CHECK,
    &instructions_in_answers::CHECK,
    &instructions_in_definitions::CHECK,
    &lethal_trifecta::CHECK,
    &open_http::CHECK,
    &path_traversal::CHECK,
    &personal_data::CHECK,
    &secrets_in_answers::CHECK,
    &secrets_in_definitions::CHECK,
    &tool_shadowing::CHECK,
];
