//! Can a model find and fill the right tool.

mod defaults_declared;
mod description_length;
mod description_present;
mod description_specific;
mod enums_not_prose;
mod names_distinct;
mod naming_consistency;
mod output_schema;
mod parameter_descriptions;
mod parameters_exist;
mod result_described;
mod schema_closed;
mod schema_simple;
mod schema_sound;
mod schema_valid;
mod titles_and_icons;
mod token_cost;
mod tools_distinguishable;
mod types_narrow;
mod units_and_formats;
mod verb_first;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &defaults_declared::CHECK,
    &description_length::CHECK,
    &description_present::CHECK,
    &description_specific::CHECK,
    &enums_not_prose::CHECK,
    &names_distinct::CHECK,
    &naming_consistency::CHECK,
    &output_schema::CHECK,
    &parameter_descriptions::CHECK,
    &parameters_exist::CHECK,
    &result_described::CHECK,
    &schema_closed::CHECK,
    &schema_simple::CHECK,
    &schema_sound::CHECK,
    &schema_valid::CHECK,
    &titles_and_icons::CHECK,
    &token_cost::CHECK,
    &tools_distinguishable::CHECK,
    &types_narrow::CHECK,
    &units_and_formats::CHECK,
    &verb_first::CHECK,
];
