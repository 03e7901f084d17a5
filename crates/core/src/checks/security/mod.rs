//! Can it be turned against its user.

mod annotation_deception;
mod code_injection;
mod command_injection;
mod dns_rebinding;
mod env_leak;
mod error_discloses_internals;
mod hidden_in_answers;
mod hidden_unicode;
mod instructions_in_answers;
mod instructions_in_definitions;
mod ldap_injection;
mod lethal_trifecta;
mod nosql_injection;
mod open_http;
mod path_traversal;
mod personal_data;
mod secrets_in_answers;
mod secrets_in_definitions;
mod sql_injection;
mod template_injection;
mod tool_shadowing;
mod xpath_injection;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &annotation_deception::CHECK,
    &code_injection::CHECK,
    &command_injection::CHECK,
    &dns_rebinding::CHECK,
    &env_leak::CHECK,
    &error_discloses_internals::CHECK,
    &hidden_in_answers::CHECK,
    &hidden_unicode::CHECK,
    &instructions_in_answers::CHECK,
    &instructions_in_definitions::CHECK,
    &ldap_injection::CHECK,
    &lethal_trifecta::CHECK,
    &nosql_injection::CHECK,
    &open_http::CHECK,
    &path_traversal::CHECK,
    &personal_data::CHECK,
    &secrets_in_answers::CHECK,
    &secrets_in_definitions::CHECK,
    &sql_injection::CHECK,
    &template_injection::CHECK,
    &tool_shadowing::CHECK,
    &xpath_injection::CHECK,
];
