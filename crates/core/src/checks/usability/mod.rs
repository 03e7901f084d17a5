//! Can a model find and fill the right tool.

mod description_present;
mod naming_consistency;
mod output_schema;
mod parameter_descriptions;
mod schema_valid;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &description_present::CHECK,
    &naming_consistency::CHECK,
    &output_schema::CHECK,
    &parameter_descriptions::CHECK,
    &schema_valid::CHECK,
];
