//! Does it do what it offers.

mod answer_depends_on_input;
mod deleted_is_gone;
mod edge_values_handled;
mod errors_are_flagged;
mod limit_honoured;
mod no_placeholders;
mod result_well_formed;
mod round_trip;
mod says_what_it_did;
mod stable_answers;
mod steady_answers;
mod valid_call_succeeds;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &answer_depends_on_input::CHECK,
    &deleted_is_gone::CHECK,
    &edge_values_handled::CHECK,
    &errors_are_flagged::CHECK,
    &limit_honoured::CHECK,
    &no_placeholders::CHECK,
    &result_well_formed::CHECK,
    &round_trip::CHECK,
    &says_what_it_did::CHECK,
    &stable_answers::CHECK,
    &steady_answers::CHECK,
    &valid_call_succeeds::CHECK,
];
