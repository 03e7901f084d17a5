//! Does it do what it offers.

mod edge_values_handled;
mod result_well_formed;
mod steady_answers;
mod structured_content_agrees;
mod valid_call_succeeds;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &edge_values_handled::CHECK,
    &result_well_formed::CHECK,
    &steady_answers::CHECK,
    &structured_content_agrees::CHECK,
    &valid_call_succeeds::CHECK,
];
