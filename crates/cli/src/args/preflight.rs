//! The flags of `preflight`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proofmark_core::preflight::Directory;

use super::{Gathering, TableArgs};

#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  proofmark preflight registry --source . -- node dist/index.js
  proofmark preflight anthropic --url https://example.org/mcp
  proofmark preflight mcpb --source . --recorded run.json.zst --format markdown

Exit codes: 0 nothing to fix, 1 something is, 2 usage or configuration, 3 could not assess",
    override_usage = "\
proofmark preflight [OPTIONS] DIRECTORY -- COMMAND [ARGS]...
       proofmark preflight [OPTIONS] DIRECTORY --url URL
       proofmark preflight [OPTIONS] DIRECTORY --recorded EVIDENCE [--source DIR]"
)]
pub(crate) struct Preflight {
    /// Where the server is to be listed
    #[arg(value_name = "DIRECTORY")]
    pub(crate) directory: DirectoryArg,
    #[command(flatten)]
    pub(crate) gathering: Gathering,
    /// Use a recorded run instead of a server
    #[arg(long, value_name = "EVIDENCE", conflicts_with_all = ["command", "url", "sse", "config"])]
    pub(crate) recorded: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum DirectoryArg {
    Registry,
    Mcpb,
    Anthropic,
    Openai,
    Docker,
}

impl From<DirectoryArg> for Directory {
    fn from(directory: DirectoryArg) -> Directory {
        match directory {
            DirectoryArg::Registry => Directory::Registry,
            DirectoryArg::Mcpb => Directory::Mcpb,
            DirectoryArg::Anthropic => Directory::Anthropic,
            DirectoryArg::Openai => Directory::Openai,
            DirectoryArg::Docker => Directory::Docker,
        }
    }
}
