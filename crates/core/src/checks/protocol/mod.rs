//! Does it speak the protocol as specified.

mod auth_access;
mod auth_discovery;
mod auth_flow;
mod auth_scopes;
mod auth_server;
mod auth_tokens;
mod clean_shutdown;
mod current_revision;
mod declared_means_there;
mod handshake_shape;
mod ids_match;
mod listing_ends;
mod messages_fit_schema;
mod stateless_results;
mod stateless_terms;
mod stays_alive;
mod stdout_purity;
mod unknown_method;
mod version_negotiation;
mod well_formed_messages;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &auth_access::CHECK,
    &auth_discovery::CHECK,
    &auth_flow::CHECK,
    &auth_scopes::CHECK,
    &auth_server::CHECK,
    &auth_tokens::CHECK,
    &clean_shutdown::CHECK,
    &current_revision::CHECK,
    &declared_means_there::CHECK,
    &handshake_shape::CHECK,
    &ids_match::CHECK,
    &listing_ends::CHECK,
    &messages_fit_schema::CHECK,
    &stateless_results::CHECK,
    &stateless_terms::CHECK,
    &stays_alive::CHECK,
    &stdout_purity::CHECK,
    &unknown_method::CHECK,
    &version_negotiation::CHECK,
    &well_formed_messages::CHECK,
];
