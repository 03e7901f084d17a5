//! The flags of `call`.

use std::time::Duration;

use clap::Args;
use serde_json::Value;

use super::assess::{IsolationArg, TargetArgs};
use super::values;

const EXAMPLES: &str = "\
Examples:
  proofmark call --tool echo --arguments '{\"message\": \"hi\"}' -- npx -y @scope/some-server
  proofmark call --tool read_file --arguments '{\"path\": \"/proofmark/workspace/notes.md\"}' -- ./server {workspace}
  proofmark call --tool search --url http://127.0.0.1:8080/mcp

Exit codes: 0 a result, 1 an error or no answer, 2 usage or configuration, 3 could not call";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "\
proofmark call --tool NAME [--arguments JSON] [OPTIONS] -- COMMAND [ARGS]...
       proofmark call --tool NAME [--arguments JSON] [OPTIONS] --url URL | --sse URL")]
pub(crate) struct Call {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The tool to call
    #[arg(long, value_name = "NAME", required = true, help_heading = "Call")]
    pub(crate) tool: String,
    /// Its arguments, a JSON object; /proofmark/workspace in it is the workspace of the call
    #[arg(long, value_name = "JSON", default_value = "{}", value_parser = values::object, help_heading = "Call")]
    pub(crate) arguments: Value,
    /// How long to wait for the answer: seconds, or 500ms, 2m
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = values::duration, help_heading = "Call")]
    pub(crate) timeout: Duration,
    /// The strongest isolation to use for a command
    #[arg(long, value_name = "LEVEL", default_value = "auto", help_heading = "Call")]
    pub(crate) isolation: IsolationArg,
}
