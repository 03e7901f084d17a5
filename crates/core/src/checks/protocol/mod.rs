//! Does it speak the protocol as specified.

mod batches;
mod before_initialized;
mod cancellation;
mod capability_methods;
mod clean_shutdown;
mod current_revision;
mod declared_means_there;
mod handshake_shape;
mod ids_match;
mod listing_ends;
mod malformed_frames;
mod messages_fit_schema;
mod meta_keys;
mod negotiated_only;
mod notifications_unanswered;
mod ping;
mod progress;
mod stateless_memory;
mod stateless_results;
mod stateless_terms;
mod stateless_traffic;
mod stays_alive;
mod stdout_purity;
mod survives_hostile_frames;
mod text_encoding;
mod unknown_method;
mod version_negotiation;
mod well_formed_messages;
mod wrong_params;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &batches::CHECK,
    &before_initialized::CHECK,
    &cancellation::CHECK,
    &capability_methods::CHECK,
    &clean_shutdown::CHECK,
    &current_revision::CHECK,
    &declared_means_there::CHECK,
    &handshake_shape::CHECK,
    &ids_match::CHECK,
    &listing_ends::CHECK,
    &malformed_frames::CHECK,
    &messages_fit_schema::CHECK,
    &meta_keys::CHECK,
    &negotiated_only::CHECK,
    &notifications_unanswered::CHECK,
    &ping::CHECK,
    &progress::CHECK,
    &stateless_memory::CHECK,
    &stateless_results::CHECK,
    &stateless_terms::CHECK,
    &stateless_traffic::CHECK,
    &stays_alive::CHECK,
    &stdout_purity::CHECK,
    &survives_hostile_frames::CHECK,
    &text_encoding::CHECK,
    &unknown_method::CHECK,
    &version_negotiation::CHECK,
    &well_formed_messages::CHECK,
    &wrong_params::CHECK,
];
