//! Does it do what it offers.

mod boundaries_honoured;
mod edge_values_handled;
mod result_well_formed;
mod steady_answers;
mod valid_call_succeeds;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &boundaries_honoured::CHECK,
    &edge_values_handled::CHECK,
    &result_well_formed::CHECK,
    &steady_answers::CHECK,
    &valid_call_succeeds::CHECK,
];
