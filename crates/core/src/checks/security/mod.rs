//! Can it be turned against its user.

mod annotation_deception;
mod answers_change;
mod bound_everywhere;
mod bound_in_source;
mod calls_in_addresses;
mod cleartext;
mod code_injection;
mod command_injection;
mod credential_sent_along;
mod cross_origin;
mod debug_mode;
mod definition_drift;
mod definitions_change;
mod denial_of_service;
mod dns_rebinding;
mod env_leak;
mod error_discloses_internals;
mod error_pages;
mod header_injection;
mod hidden_in_answers;
mod hidden_places;
mod hidden_resources;
mod hidden_unicode;
mod input_in_source;
mod instructions_in_answers;
mod instructions_in_definitions;
mod integer_handling;
mod ldap_injection;
mod lethal_trifecta;
mod mass_assignment;
mod nosql_injection;
mod open_http;
mod path_traversal;
mod personal_data;
mod privilege_toggle;
mod prototype_pollution;
mod rate_limit;
mod resource_exhaustion;
mod secret_shown_elsewhere;
mod secrets_in_answers;
mod secrets_in_definitions;
mod secrets_in_source;
mod self_given_role;
mod session_as_authentication;
mod session_fixation;
mod session_prediction;
mod sql_injection;
mod ssrf;
mod template_injection;
mod tool_shadowing;
mod unsafe_deserialization;
mod unverified_tls;
mod xpath_injection;
mod xxe;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &annotation_deception::CHECK,
    &answers_change::CHECK,
    &bound_everywhere::CHECK,
    &bound_in_source::CHECK,
    &calls_in_addresses::CHECK,
    &cleartext::CHECK,
    &code_injection::CHECK,
    &command_injection::CHECK,
    &credential_sent_along::CHECK,
    &cross_origin::CHECK,
    &debug_mode::CHECK,
    &definition_drift::CHECK,
    &definitions_change::CHECK,
    &denial_of_service::CHECK,
    &dns_rebinding::CHECK,
    &env_leak::CHECK,
    &error_discloses_internals::CHECK,
    &error_pages::CHECK,
    &header_injection::CHECK,
    &hidden_in_answers::CHECK,
    &hidden_places::CHECK,
    &hidden_resources::CHECK,
    &hidden_unicode::CHECK,
    &input_in_source::CHECK,
    &instructions_in_answers::CHECK,
    &instructions_in_definitions::CHECK,
    &integer_handling::CHECK,
    &ldap_injection::CHECK,
    &lethal_trifecta::CHECK,
    &mass_assignment::CHECK,
    &nosql_injection::CHECK,
    &open_http::CHECK,
    &path_traversal::CHECK,
    &personal_data::CHECK,
    &privilege_toggle::CHECK,
    &prototype_pollution::CHECK,
    &rate_limit::CHECK,
    &resource_exhaustion::CHECK,
    &secret_shown_elsewhere::CHECK,
    &secrets_in_answers::CHECK,
    &secrets_in_definitions::CHECK,
    &secrets_in_source::CHECK,
    &self_given_role::CHECK,
    &session_as_authentication::CHECK,
    &session_fixation::CHECK,
    &session_prediction::CHECK,
    &sql_injection::CHECK,
    &ssrf::CHECK,
    &template_injection::CHECK,
    &tool_shadowing::CHECK,
    &unsafe_deserialization::CHECK,
    &unverified_tls::CHECK,
    &xpath_injection::CHECK,
    &xxe::CHECK,
];
