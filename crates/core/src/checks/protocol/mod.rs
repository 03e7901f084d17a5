//! Does it speak the protocol as specified.

mod auth_access;
mod auth_discovery;
mod auth_flow;
mod auth_scopes;
mod auth_server;
mod auth_tokens;
mod batches;
mod before_initialized;
mod cache_hints;
mod call_errors;
mod cancellation;
mod capability_declared;
mod capability_methods;
mod clean_shutdown;
mod client_answers;
mod client_profiles;
mod client_requests;
mod completion;
mod current_revision;
mod declared_means_there;
mod elicitation_requests;
mod handshake_shape;
mod http_acceptance;
mod http_endpoint;
mod http_headers;
mod http_origin;
mod http_resume;
mod http_session_ids;
mod http_session_life;
mod http_stateless;
mod http_streams;
mod http_version_header;
mod ids_match;
mod input_rounds;
mod listing_ends;
mod listings_steady;
mod log_levels;
mod log_messages;
mod malformed_frames;
mod messages_fit_schema;
mod meta_keys;
mod mirrored_headers;
mod mistakes_everywhere;
mod negotiated_only;
mod notifications_unanswered;
mod pagination;
mod ping;
mod prints_in_source;
mod progress;
mod prompt_contents;
mod prompt_refusals;
mod resource_contents;
mod resource_definitions;
mod resource_refusals;
mod resource_subscriptions;
mod sampling_requests;
mod sse_transport;
mod stateless_capabilities;
mod stateless_memory;
mod stateless_results;
mod stateless_terms;
mod stateless_traffic;
mod stays_alive;
mod stdout_purity;
mod strict_client;
mod structured_content;
mod subscriptions;
mod survives_hostile_frames;
mod task_creation;
mod task_handles;
mod task_lookup;
mod task_methods;
mod task_states;
mod task_terms;
mod text_encoding;
mod tool_definitions;
mod tool_hints;
mod tool_results;
mod tool_schemas;
mod unknown_method;
mod version_negotiation;
mod well_formed_messages;
mod wrong_params;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &auth_access::CHECK,
    &auth_discovery::CHECK,
    &auth_flow::CHECK,
    &auth_scopes::CHECK,
    &auth_server::CHECK,
    &auth_tokens::CHECK,
    &batches::CHECK,
    &before_initialized::CHECK,
    &cache_hints::CHECK,
    &call_errors::CHECK,
    &cancellation::CHECK,
    &capability_declared::CHECK,
    &capability_methods::CHECK,
    &clean_shutdown::CHECK,
    &client_answers::CHECK,
    &client_profiles::CHECK,
    &client_requests::CHECK,
    &completion::CHECK,
    &current_revision::CHECK,
    &declared_means_there::CHECK,
    &elicitation_requests::CHECK,
    &handshake_shape::CHECK,
    &http_acceptance::CHECK,
    &http_endpoint::CHECK,
    &http_headers::CHECK,
    &http_origin::CHECK,
    &http_resume::CHECK,
    &http_session_ids::CHECK,
    &http_session_life::CHECK,
    &http_stateless::CHECK,
    &http_streams::CHECK,
    &http_version_header::CHECK,
    &ids_match::CHECK,
    &input_rounds::CHECK,
    &listing_ends::CHECK,
    &listings_steady::CHECK,
    &log_levels::CHECK,
    &log_messages::CHECK,
    &malformed_frames::CHECK,
    &messages_fit_schema::CHECK,
    &meta_keys::CHECK,
    &mirrored_headers::CHECK,
    &mistakes_everywhere::CHECK,
    &negotiated_only::CHECK,
    &notifications_unanswered::CHECK,
    &pagination::CHECK,
    &ping::CHECK,
    &prints_in_source::CHECK,
    &progress::CHECK,
    &prompt_contents::CHECK,
    &prompt_refusals::CHECK,
    &resource_contents::CHECK,
    &resource_definitions::CHECK,
    &resource_refusals::CHECK,
    &resource_subscriptions::CHECK,
    &sampling_requests::CHECK,
    &sse_transport::CHECK,
    &stateless_capabilities::CHECK,
    &stateless_memory::CHECK,
    &stateless_results::CHECK,
    &stateless_terms::CHECK,
    &stateless_traffic::CHECK,
    &stays_alive::CHECK,
    &stdout_purity::CHECK,
    &strict_client::CHECK,
    &structured_content::CHECK,
    &subscriptions::CHECK,
    &survives_hostile_frames::CHECK,
    &task_creation::CHECK,
    &task_handles::CHECK,
    &task_lookup::CHECK,
    &task_methods::CHECK,
    &task_states::CHECK,
    &task_terms::CHECK,
    &text_encoding::CHECK,
    &tool_definitions::CHECK,
    &tool_hints::CHECK,
    &tool_results::CHECK,
    &tool_schemas::CHECK,
    &unknown_method::CHECK,
    &version_negotiation::CHECK,
    &well_formed_messages::CHECK,
    &wrong_params::CHECK,
];
