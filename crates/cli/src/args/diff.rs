//! The flags of `diff` and `upgrade`.

use std::path::PathBuf;

use clap::Args;

use super::{Gathering, TableFormat};

const CODES: &str = "Exit codes: 0 nothing got worse, 1 something did, 2 usage or configuration, 3 could not compare";

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  proofmark diff old.json new.json
  proofmark diff main.json.zst branch.json.zst --format markdown -o diff.json

{CODES}"))]
pub(crate) struct DiffArgs {
    /// The earlier run: evidence, or a JSON report
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The later run
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(Debug, Args)]
#[command(override_usage = "proofmark upgrade [OPTIONS] -- OLD-COMMAND [ARGS]... --to NEW-COMMAND [ARGS]...",
after_help = format!("\
Examples:
  proofmark upgrade -- npx -y @scope/server@1 --to npx -y @scope/server@2
  proofmark upgrade --format markdown -- uvx server==1.2 --to uvx server==1.3

{CODES}"))]
pub(crate) struct Upgrade {
    #[command(flatten)]
    pub(crate) gathering: Gathering,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

/// How a comparison is told.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Shown {
    /// The opinion that weighs evidence; a report keeps its own
    #[arg(long, value_name = "RUBRIC", default_value = "directory")]
    pub(crate) rubric: String,
    /// How the comparison is printed
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub(crate) format: TableFormat,
    /// Write the comparison to a file; its name says how: .json, .md, .txt (repeatable)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// Print the verdict alone, and no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print everything
    #[arg(short, long)]
    pub(crate) verbose: bool,
}
