//! Does it do what it offers.

mod boundaries_honoured;
mod edge_values_handled;
mod prompts_answer;
mod resources_readable;
mod result_well_formed;
mod steady_answers;
mod structured_content_agrees;
mod templates_resolve;
mod valid_call_succeeds;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &boundaries_honoured::CHECK,
    &edge_values_handled::CHECK,
    &prompts_answer::CHECK,
    &resources_readable::CHECK,
    &result_well_formed::CHECK,
    &steady_answers::CHECK,
    &structured_content_agrees::CHECK,
    &templates_resolve::CHECK,
    &valid_call_succeeds::CHECK,
];
