//! Does it refuse bad requests well.

mod argument_errors;
mod batch_rejected;
mod invalid_values;
mod malformed_call;
mod message_quality;
mod missing_required;
mod survives_bad_input;
mod unknown_tool;
mod wrong_type;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &argument_errors::CHECK,
    &batch_rejected::CHECK,
    &invalid_values::CHECK,
    &malformed_call::CHECK,
    &message_quality::CHECK,
    &missing_required::CHECK,
    &survives_bad_input::CHECK,
    &unknown_tool::CHECK,
    &wrong_type::CHECK,
];
