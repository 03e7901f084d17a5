//! Can people find out how to use it.

mod client_configuration;
mod errors_shown;
mod example_calls;
mod examples;
mod json_parses;
mod links_lead_somewhere;
mod no_stale_tools;
mod output_schema_documented;
mod parameters_documented;
mod project_files;
mod readme_present;
mod readme_sections;
mod tools_documented;
mod troubleshooting;
mod variables_documented;

use crate::check::Check;

pub const CHECKS: &[&Check] = &[
    &client_configuration::CHECK,
    &errors_shown::CHECK,
    &example_calls::CHECK,
    &examples::CHECK,
    &json_parses::CHECK,
    &links_lead_somewhere::CHECK,
    &no_stale_tools::CHECK,
    &output_schema_documented::CHECK,
    &parameters_documented::CHECK,
    &project_files::CHECK,
    &readme_present::CHECK,
    &readme_sections::CHECK,
    &tools_documented::CHECK,
    &troubleshooting::CHECK,
    &variables_documented::CHECK,
];
