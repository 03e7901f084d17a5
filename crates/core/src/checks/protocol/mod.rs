//! Does it speak the protocol as specified.

mod clean_shutdown;
mod current_revision;
mod declared_means_there;
mod handshake_shape;
mod ids_match;
mod input_rounds;
mod listing_ends;
mod messages_fit_schema;
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
    &ids_match::CHECK,
    &input_rounds::CHECK,
    &listing_ends::CHECK,
    &messages_fit_schema::CHECK,
    &stateless_memory::CHECK,
    &stateless_results::CHECK,
    &stateless_terms::CHECK,
    &stays_alive::CHECK,
    &stdout_purity::CHECK,
    &unknown_method::CHECK,
    &version_negotiation::CHECK,
    &well_formed_messages::CHECK,
];
