//! Does it speak the protocol as specified.

mod clean_shutdown;
mod current_revision;
mod declared_means_there;
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
mod messages_fit_schema;
mod sse_transport;
mod stateless_memory;
mod stateless_results;
mod stateless_terms;
mod stays_alive;
mod stdout_purity;
mod unknown_method;
mod version_negotiation;
mod well_formed_messages;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &clean_shutdown::CHECK,
    &current_revision::CHECK,
    &declared_means_there::CHECK,
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
    &messages_fit_schema::CHECK,
    &sse_transport::CHECK,
    &stateless_memory::CHECK,
    &stateless_results::CHECK,
    &stateless_terms::CHECK,
    &stays_alive::CHECK,
    &stdout_purity::CHECK,
    &unknown_method::CHECK,
    &version_negotiation::CHECK,
    &well_formed_messages::CHECK,
];
