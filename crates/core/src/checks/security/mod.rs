//! Can it be turned against its user.

mod code_injection;
mod command_injection;
mod dns_rebinding;
mod env_leak;
mod error_discloses_internals;
mod header_injection;
mod hidden_unicode;
mod integer_handling;
mod ldap_injection;
mod mass_assignment;
mod nosql_injection;
mod open_http;
mod path_traversal;
mod privilege_toggle;
mod prototype_pollution;
mod secrets_in_definitions;
mod sql_injection;
mod ssrf;
mod template_injection;
mod unsafe_deserialization;
mod xpath_injection;
mod xxe;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &code_injection::CHECK,
    &command_injection::CHECK,
    &dns_rebinding::CHECK,
    &env_leak::CHECK,
    &error_discloses_internals::CHECK,
    &header_injection::CHECK,
    &hidden_unicode::CHECK,
    &integer_handling::CHECK,
    &ldap_injection::CHECK,
    &mass_assignment::CHECK,
    &nosql_injection::CHECK,
    &open_http::CHECK,
    &path_traversal::CHECK,
    &privilege_toggle::CHECK,
    &prototype_pollution::CHECK,
    &secrets_in_definitions::CHECK,
    &sql_injection::CHECK,
    &ssrf::CHECK,
    &template_injection::CHECK,
    &unsafe_deserialization::CHECK,
    &xpath_injection::CHECK,
    &xxe::CHECK,
];
