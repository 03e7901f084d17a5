//! Does it refuse bad requests well.

mod batch_rejected;
mod message_names_field;
mod missing_required;
mod unknown_tool;
mod wrong_type;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &batch_rejected::CHECK,
    &message_names_field::CHECK,
    &missing_required::CHECK,
    &unknown_tool::CHECK,
    &wrong_type::CHECK,
];
