//! The flags of `conformance`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proofmark_core::conformance::Filter;
use proofmark_core::revision::Revision;
use proofmark_core::spec::{Level, Verdict};

use super::Gathering;

const EXAMPLES: &str = "\
Examples:
  proofmark conformance -- npx -y @scope/some-server
  proofmark conformance --level must --verdict fail --url http://127.0.0.1:8080/mcp
  proofmark conformance --section LIFE --revision 2025-11-25 --format markdown -- ./server
  proofmark conformance --recorded run.json.zst --format json
  proofmark conformance --evidence stdio.json.zst -- ./server      then by HTTP, beside that:
  proofmark conformance --beside stdio.json.zst --url http://127.0.0.1:8080/mcp

Exit codes: 0 no MUST is broken, 1 some are, 2 usage or configuration, 3 could not assess";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "\
proofmark conformance [OPTIONS] -- COMMAND [ARGS]...
       proofmark conformance [OPTIONS] --url URL | --sse URL
       proofmark conformance [OPTIONS] --config FILE [--server NAME]
       proofmark conformance [OPTIONS] --recorded EVIDENCE")]
pub(crate) struct Conformance {
    #[command(flatten)]
    pub(crate) gathering: Gathering,
    /// Judge a recorded run instead of a server
    #[arg(long, value_name = "EVIDENCE", conflicts_with_all = ["command", "url", "sse", "config", "source"])]
    pub(crate) recorded: Option<PathBuf>,
    /// Compare with a recorded run of the same server, as by another transport (repeatable)
    #[arg(long, value_name = "EVIDENCE")]
    pub(crate) beside: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// How a table or list is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TableArgs {
    /// How it is printed
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub(crate) format: TableFormat,
    /// Print the counts alone, and no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print everything, also what holds
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Table")]
pub(crate) struct FilterArgs {
    /// Only requirements of this level (repeatable)
    #[arg(long, value_name = "LEVEL")]
    level: Vec<LevelArg>,
    /// Only verdicts in this revision (repeatable)
    #[arg(long, value_name = "REVISION")]
    revision: Vec<Revision>,
    /// Only this section or requirement, e.g. LIFE or LIFE-03 (repeatable)
    #[arg(long, value_name = "SECTION", value_parser = super::values::section)]
    section: Vec<String>,
    /// Only these verdicts (repeatable)
    #[arg(long, value_name = "VERDICT")]
    verdict: Vec<VerdictArg>,
}

impl FilterArgs {
    pub(crate) fn filter(&self) -> Filter {
        Filter {
            levels: self.level.iter().copied().map(Into::into).collect(),
            revisions: self.revision.clone(),
            sections: self.section.clone(),
            verdicts: self.verdict.iter().copied().map(Into::into).collect(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    Terminal,
    Json,
    Markdown,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LevelArg {
    Must,
    Should,
    JsonRpc,
    Schema,
    Information,
}

impl From<LevelArg> for Level {
    fn from(level: LevelArg) -> Level {
        match level {
            LevelArg::Must => Level::Must,
            LevelArg::Should => Level::Should,
            LevelArg::JsonRpc => Level::JsonRpc,
            LevelArg::Schema => Level::Schema,
            LevelArg::Information => Level::Information,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum VerdictArg {
    Pass,
    Fail,
    NotTestable,
    NotApplicable,
}

impl From<VerdictArg> for Verdict {
    fn from(verdict: VerdictArg) -> Verdict {
        match verdict {
            VerdictArg::Pass => Verdict::Pass,
            VerdictArg::Fail => Verdict::Fail,
            VerdictArg::NotTestable => Verdict::NotTestable,
            VerdictArg::NotApplicable => Verdict::NotApplicable,
        }
    }
}
