//! Does it do what it offers.

mod answer_depends_on_input;
mod boundaries_honoured;
mod deleted_is_gone;
mod edge_values_handled;
mod errors_are_flagged;
mod filter_honoured;
mod format_honoured;
mod limit_honoured;
mod no_placeholders;
mod prompts_answer;
mod registered_tools_offered;
mod resources_readable;
mod result_well_formed;
mod round_trip;
mod says_what_it_did;
mod sort_honoured;
mod stable_answers;
mod steady_answers;
mod structured_content_agrees;
mod templates_resolve;
mod valid_call_succeeds;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &answer_depends_on_input::CHECK,
    &boundaries_honoured::CHECK,
    &deleted_is_gone::CHECK,
    &edge_values_handled::CHECK,
    &errors_are_flagged::CHECK,
    &filter_honoured::CHECK,
    &format_honoured::CHECK,
    &limit_honoured::CHECK,
    &no_placeholders::CHECK,
    &prompts_answer::CHECK,
    &registered_tools_offered::CHECK,
    &resources_readable::CHECK,
    &result_well_formed::CHECK,
    &round_trip::CHECK,
    &says_what_it_did::CHECK,
    &sort_honoured::CHECK,
    &stable_answers::CHECK,
    &steady_answers::CHECK,
    &structured_content_agrees::CHECK,
    &templates_resolve::CHECK,
    &valid_call_succeeds::CHECK,
];
