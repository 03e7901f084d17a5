//! The flags of `accuracy`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proofmark_testbed::Transport;

use super::ListFormat;

const EXAMPLES: &str = "\
Examples:
  proofmark accuracy                                     every built-in server, on every transport
  proofmark accuracy --mode good --mode stdout-noise --transport stdio
  proofmark accuracy --transport stdio --samples crates/testbed --write crates/core/accuracy.toml
                                                         what reports say of the checks

Exit codes: 0 every check is right often enough, 1 some are not, 3 a server could not be assessed";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Accuracy {
    /// Only this built-in server; `proofmark serve --list` names them (repeatable)
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Vec<String>,
    /// Only this transport (repeatable)
    #[arg(long, value_name = "TRANSPORT")]
    pub(crate) transport: Vec<TransportArg>,
    /// Also the sample servers of this folder, one with a `security.toml` such as crates/testbed
    /// (they need python3 and node)
    #[arg(long, value_name = "DIR")]
    pub(crate) samples: Option<PathBuf>,
    /// Servers at a time
    #[arg(short, long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=32))]
    pub(crate) jobs: u16,
    /// How the figures are printed
    #[arg(long, value_name = "FORMAT", default_value = "terminal", help_heading = "Output")]
    pub(crate) format: ListFormat,
    /// Also write the figures to this file, in the form of accuracy.toml
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) write: Option<PathBuf>,
    /// Print no progress
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransportArg {
    Stdio,
    Http,
    Sse,
}

impl From<TransportArg> for Transport {
    fn from(transport: TransportArg) -> Transport {
        match transport {
            TransportArg::Stdio => Transport::Stdio,
            TransportArg::Http => Transport::Http,
            TransportArg::Sse => Transport::Sse,
        }
    }
}
