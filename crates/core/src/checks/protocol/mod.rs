//! Does it speak the protocol as specified.

mod clean_shutdown;
mod current_revision;
mod declared_means_there;
mod handshake_shape;
mod ids_match;
mod listing_ends;
mod messages_fit_schema;
mod stateless_memory;
mod stateless_results;
mod stateless_terms;
mod stays_alive;
mod stdout_purity;
mod task_creation;
mod task_handles;
mod task_lookup;
mod task_methods;
mod task_states;
mod task_terms;
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
    &listing_ends::CHECK,
    &messages_fit_schema::CHECK,
    &stateless_memory::CHECK,
    &stateless_results::CHECK,
    &stateless_terms::CHECK,
    &stays_alive::CHECK,
    &stdout_purity::CHECK,
    &task_creation::CHECK,
    &task_handles::CHECK,
    &task_lookup::CHECK,
    &task_methods::CHECK,
    &task_states::CHECK,
    &task_terms::CHECK,
    &unknown_method::CHECK,
    &version_negotiation::CHECK,
    &well_formed_messages::CHECK,
];
