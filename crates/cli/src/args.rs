//! The command line.

mod accuracy;
mod assess;
mod call;
mod conformance;
mod diff;
mod dimensions;
mod format;
mod init;
mod judge;
mod notify;
mod preflight;
pub(crate) mod values;

pub(crate) use accuracy::Accuracy;
pub(crate) use assess::{Assess, Gathering, TargetArgs};
pub(crate) use call::Call;
pub(crate) use conformance::{Conformance, TableArgs, TableFormat};
pub(crate) use diff::{DiffArgs, Shown, Upgrade};
pub(crate) use dimensions::{Bands, Dimensions};
pub(crate) use format::Format;
pub(crate) use init::Init;
pub(crate) use judge::JudgeArgs;
pub(crate) use notify::{NotifyArgs, NotifyOn};
pub(crate) use preflight::Preflight;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use proofmark_core::check::Confidence;

const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit  ",
    env!("PROOFMARK_COMMIT"),
    "\ntarget  ",
    env!("PROOFMARK_TARGET"),
    "\nprofile ",
    env!("PROOFMARK_PROFILE"),
    "\nrustc   ",
    env!("PROOFMARK_RUSTC"),
);

const EXAMPLES: &str = "\
Examples:
  proofmark demo                                      see a report, no network needed
  proofmark assess -- npx -y @scope/some-server       a server started here
  proofmark assess --url https://example.org/mcp      a remote server
  proofmark assess --config ~/.cursor/mcp.json --server files
  proofmark explain errors/unknown-tool               why a check exists, how to fix it

Exit codes: 0 passed, 1 below the bar, 2 usage or configuration, 3 could not assess";

/// Assess the quality of MCP servers, with proof.
#[derive(Debug, Parser)]
#[command(
    name = "proofmark",
    version,
    long_version = LONG_VERSION,
    after_help = EXAMPLES,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// When to colour what is printed
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Assess a server: start or reach it, ask it, judge it, report
    Assess(Box<Assess>),
    /// Call one tool once and print the reply, on the same ground as an assessment
    Call(Box<Call>),
    /// Hold a server against the specification, requirement by requirement
    Conformance(Box<Conformance>),
    /// Judge a recorded run again, without the server
    Score(Box<Score>),
    /// Write down the definitions of a server, to compare later ones with; nothing is called
    Pin(Box<Pin>),
    /// Judge recorded test cases in five dimensions, one server or many
    Dimensions(Box<Dimensions>),
    /// Hold two recorded runs against each other: what is new, fixed, changed
    Diff(DiffArgs),
    /// Assess an old and a new version one after the other: is it safe to upgrade?
    Upgrade(Box<Upgrade>),
    /// Answer the check list of a place that lists servers, as far as a run can
    Preflight(Box<Preflight>),
    /// Print the page of a check: why it matters, how to fix it
    Explain(Explain),
    /// List the checks
    Checks(Checks),
    /// Measure how often each check is right, on built-in servers of which the truth is known
    Accuracy(Accuracy),
    /// Assess a small server that is built in, to see what a report looks like
    Demo(Demo),
    /// Write a commented proofmark.toml and a GitHub Actions workflow
    Init(Init),
    /// Print completions for a shell
    Completions {
        /// The shell to complete in
        shell: Shell,
    },
    /// Start a built-in server; `serve --list` names them, `serve --mutants` their defects
    #[command(hide = true)]
    Serve {
        /// A mode and its options, as the testbed takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        words: Vec<String>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  proofmark score run.json.zst
  proofmark score run.json --rubric audit --format json
  proofmark score run.json --rubric ours.toml -o report.json
  proofmark score test_report_files.json              a suite recorded by others, in five dimensions
  proofmark score run.json --judge openai:MODEL --judge-url http://127.0.0.1:8080/v1 --answers answers.json
  proofmark score run.json --answers answers.json     again, without the model")]
pub(crate) struct Score {
    /// An evidence file, written by `assess --evidence FILE`, or a test_report_SERVER.json
    #[arg(value_name = "EVIDENCE")]
    pub(crate) evidence: PathBuf,
    #[command(flatten)]
    pub(crate) judging: Judging,
    #[command(flatten)]
    pub(crate) bands: Bands,
    /// Keep the model's answers in this file; without --judge, judge by those kept there
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The id of a check, e.g. errors/unknown-tool
    #[arg(value_name = "CHECK")]
    pub(crate) check: String,
    /// Also print the cases the page is tested with
    #[arg(long)]
    pub(crate) cases: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Checks {
    /// Only the checks of this topic
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    #[command(flatten)]
    pub(crate) judging: Judging,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub(crate) struct Judging {
    /// The opinion that weighs the findings: directory (unless the settings say another), audit, dimensions, or a file of your own
    #[arg(long, value_name = "RUBRIC")]
    pub(crate) rubric: Option<String>,
    /// A bar to clear, instead of the rubric's top level: score>=80, security>=90, severity<high, must, no-regression … (repeatable)
    #[arg(long, value_name = "EXPR")]
    pub(crate) gate: Vec<String>,
    /// What your project has settled, such as suppressions; proofmark.toml here unless given
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// An earlier time to compare with: a pin, evidence or a JSON report
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Show only failures of at least this confidence; the others are counted
    #[arg(long, value_name = "LEVEL")]
    pub(crate) min_confidence: Option<ConfidenceArg>,
    /// Also print better definitions for the three tools that need it most
    #[arg(long)]
    pub(crate) suggest: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ConfidenceArg {
    Low,
    Medium,
    High,
}

impl From<ConfidenceArg> for Confidence {
    fn from(level: ConfidenceArg) -> Confidence {
        match level {
            ConfidenceArg::Low => Confidence::Low,
            ConfidenceArg::Medium => Confidence::Medium,
            ConfidenceArg::High => Confidence::High,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  proofmark pin -o pins.json -- npx -y @scope/some-server
  proofmark assess --baseline pins.json -- npx -y @scope/some-server")]
pub(crate) struct Pin {
    #[command(flatten)]
    pub(crate) gathering: Gathering,
    /// Write the pin to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Print no progress
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Write the report to a file; its name says how: .html, .json, .md, .sarif, .xml (JUnit), .csv, .cdx.json, .txt …, .svg or .png (chart, or badge.svg), or FORMAT=FILE (repeatable)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// How the report is printed on standard output
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub(crate) format: Format,
    /// Print the verdict alone, and no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print everything, also what is suspected or was not seen
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    Terminal,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
