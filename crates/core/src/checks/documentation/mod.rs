//! Can people find out how to use it.

mod examples;
mod output_schema_documented;
mod readme_present;
mod readme_sections;
mod tools_documented;
mod troubleshooting;
mod variables_documented;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &examples::CHECK,
    &output_schema_documented::CHECK,
    &readme_present::CHECK,
    &readme_sections::CHECK,
    &tools_documented::CHECK,
    &troubleshooting::CHECK,
    &variables_documented::CHECK,
];
