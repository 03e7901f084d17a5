//! The flags of `init`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  proofmark init -- node dist/index.js
  proofmark init --url http://127.0.0.1:8080/mcp --no-workflow
  proofmark init --action ./tools/proofmark -- node dist/index.js")]
pub(crate) struct Init {
    /// The command that starts your server, for the settings
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// The address of your server, for the settings
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// The project to write into
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Where the workflow takes the action from: OWNER/REPOSITORY@REF, or ./PATH in your project
    #[arg(long, value_name = "ACTION", conflicts_with = "no_workflow")]
    pub(crate) action: Option<String>,
    /// Write no GitHub Actions workflow
    #[arg(long)]
    pub(crate) no_workflow: bool,
    /// Replace files that are there
    #[arg(long)]
    pub(crate) force: bool,
}
