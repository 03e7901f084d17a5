//! The flags of `assess`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use proofmark_core::evidence::{ClientCapabilities, IsolationLevel, Profile, TokenKind};
use proofmark_core::probe::Risk;
use proofmark_core::revision::Revision;
use proofmark_core::target::AuditKind;
use proofmark_live::Lookup;

use super::values;
use super::{JudgeArgs, Judging, NotifyArgs, Output};

const EXAMPLES: &str = "\
Examples:
  proofmark assess -- npx -y @scope/some-server ./data
  proofmark assess --env API_KEY=… -- uvx some-server
  proofmark assess --url http://127.0.0.1:8080/mcp --bearer-env TOKEN
  proofmark assess --config .vscode/mcp.json --server files
  proofmark assess --passive --url https://example.org/mcp
  proofmark assess --static --source .
  proofmark assess --only errors --tool 'read_*' -- node server.js
  proofmark assess -q --evidence run.json.zst -o report.json -- ./server

Exit codes: 0 passed, 1 below the bar, 2 usage or configuration, 3 could not assess";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "\
proofmark assess [OPTIONS] -- COMMAND [ARGS]...
       proofmark assess [OPTIONS] --url URL | --sse URL
       proofmark assess [OPTIONS] --config FILE [--server NAME]
       proofmark assess [OPTIONS] --static --source DIR")]
pub(crate) struct Assess {
    #[command(flatten)]
    pub(crate) gathering: Gathering,
    #[command(flatten)]
    pub(crate) judging: Judging,
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// Let the model write test cases for every tool, and make those that fit
    #[arg(
        long,
        requires = "judge",
        help_heading = "Language model (without --judge nothing leaves this machine)"
    )]
    pub(crate) generate: bool,
    /// Ask only what changed since the run in this evidence file, and keep this run there; made if missing
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub(crate) incremental: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) notify: NotifyArgs,
}

/// What to ask, of whom, and what to keep of it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Gathering {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) safety: Safety,
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Values to send, by tool and parameter; the format is in docs/fixtures.md
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub(crate) fixtures: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) advisories: AdvisoryArgs,
    #[command(flatten)]
    pub(crate) budget: Budget,
    #[command(flatten)]
    pub(crate) protocol: Protocol,
    /// Which parts of the audit rubric apply; told from the target unless given
    #[arg(long, value_name = "KIND", help_heading = "Judging")]
    pub(crate) audit: Option<Audit>,
    /// Keep all that was seen, for `score`; compressed when the name ends in .zst
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) evidence: Option<PathBuf>,
    /// Report progress as JSON lines, on standard error or in a file: jsonl or jsonl:FILE
    #[arg(long, value_name = "jsonl[:FILE]", help_heading = "Output", value_parser = values::events)]
    pub(crate) events: Option<values::Events>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Target (exactly one; --source may join it)")]
pub(crate) struct TargetArgs {
    /// A command that speaks MCP on its standard input and output
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// A Streamable HTTP endpoint
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// An endpoint of the older HTTP+SSE transport
    #[arg(long, value_name = "URL")]
    pub(crate) sse: Option<String>,
    /// A client's configuration: Claude Desktop, Cursor, VS Code, or a bare object of servers
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// A [[target]] of proofmark.toml; may be left out when there is only one
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// The server in --config; may be left out when there is only one
    #[arg(long, value_name = "NAME", requires = "config")]
    pub(crate) server: Option<String>,
    /// A source tree to read; alone, nothing is started
    #[arg(long, value_name = "DIR")]
    pub(crate) source: Option<PathBuf>,
    /// Read --source only, and start nothing; what needs a running server is not run
    #[arg(long = "static", requires = "source")]
    pub(crate) alone: bool,
    /// A header to send, 'Name: value' (repeatable; secrets are never shown or kept)
    #[arg(long, value_name = "'K: V'", value_parser = values::header)]
    pub(crate) header: Vec<(String, String)>,
    /// Send `Authorization: Bearer` with the value of this environment variable
    #[arg(long, value_name = "NAME")]
    pub(crate) bearer_env: Option<String>,
    /// A further token to try, by kind, in an environment variable: low-scope, broad-scope, foreign-audience, expired or other-user (repeatable)
    #[arg(long, value_name = "KIND=NAME", value_parser = values::token)]
    pub(crate) token: Vec<(TokenKind, String)>,
    /// An environment variable for the command, NAME=value (repeatable; secrets are never shown or kept)
    #[arg(long, value_name = "K=V", value_parser = values::variable)]
    pub(crate) env: Vec<(String, String)>,
    /// The directory to start the command in
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Safety")]
pub(crate) struct Safety {
    /// List what there is and never call a tool
    #[arg(long, conflicts_with_all = ["allow", "disposable"])]
    pub(crate) passive: bool,
    /// Call tools up to this risk; told from the isolation reached unless given
    #[arg(long, value_name = "RISK")]
    pub(crate) allow: Option<Allow>,
    /// Nothing of value is within reach of the server: exercise everything
    #[arg(long)]
    pub(crate) disposable: bool,
    /// The strongest isolation to use for a command
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub(crate) isolation: IsolationArg,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct Selection {
    /// Only tools whose name matches (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = values::glob)]
    pub(crate) tool: Vec<String>,
    /// No tools whose name matches (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = values::glob)]
    pub(crate) skip_tool: Vec<String>,
    /// Only these checks or topics (repeatable)
    #[arg(long, value_name = "CHECK|TOPIC", value_parser = values::selection)]
    pub(crate) only: Vec<String>,
    /// None of these checks or topics (repeatable)
    #[arg(long, value_name = "CHECK|TOPIC", value_parser = values::selection)]
    pub(crate) skip: Vec<String>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Dependencies (nothing is looked up unless asked for)")]
pub(crate) struct AdvisoryArgs {
    /// Advisories in the OSV format: a directory, a zip archive, a file, or the URL of a service
    #[arg(long, value_name = "PATH", conflicts_with = "online", value_parser = values::lookup)]
    pub(crate) osv: Option<Lookup>,
    /// Ask api.osv.dev; it learns the names and versions of the dependencies
    #[arg(long)]
    pub(crate) online: bool,
}

impl AdvisoryArgs {
    pub(crate) fn lookup(&self) -> Option<Lookup> {
        let public = || Lookup::Service(Lookup::PUBLIC.to_owned());
        self.osv.clone().or_else(|| self.online.then(public))
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Budget")]
pub(crate) struct Budget {
    /// How much to ask; standard unless the settings say otherwise
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<ProfileArg>,
    /// The source of all randomness; the same seed asks the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How long one call may take: seconds, or 500ms, 2m
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = values::duration)]
    pub(crate) timeout: Duration,
    /// How long the server may take to come up
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = values::duration)]
    pub(crate) startup_timeout: Duration,
    /// Calls under way at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) concurrency: u32,
    /// Calls per second at most
    #[arg(long, value_name = "N", value_parser = values::rate)]
    pub(crate) rate: Option<f64>,
    /// Calls in all; told by the profile unless given
    #[arg(long, value_name = "N")]
    pub(crate) max_calls: Option<u64>,
    /// Time in all; told by the profile unless given
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) max_time: Option<Duration>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Protocol")]
pub(crate) struct Protocol {
    /// Speak this revision, e.g. 2025-06-18, instead of the newest both sides know
    #[arg(long, value_name = "REVISION")]
    pub(crate) protocol: Option<Revision>,
    /// What to declare as a client: all, none, or a list of roots, sampling, elicitation
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = values::capabilities)]
    pub(crate) client_capabilities: ClientCapabilities,
    /// The largest frame to accept, e.g. 32MiB
    #[arg(long, value_name = "SIZE", default_value = "32MiB", value_parser = values::size)]
    pub(crate) max_frame: usize,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Allow {
    Reads,
    Writes,
    Destroys,
}

impl From<Allow> for Risk {
    fn from(allow: Allow) -> Risk {
        match allow {
            Allow::Reads => Risk::Reads,
            Allow::Writes => Risk::Writes,
            Allow::Destroys => Risk::Destroys,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum IsolationArg {
    Auto,
    Namespaces,
    Confined,
    Scratch,
    None,
}

impl From<IsolationArg> for IsolationLevel {
    fn from(level: IsolationArg) -> IsolationLevel {
        match level {
            IsolationArg::Auto | IsolationArg::Namespaces => IsolationLevel::Namespaces,
            IsolationArg::Confined => IsolationLevel::Confined,
            IsolationArg::Scratch => IsolationLevel::Scratch,
            IsolationArg::None => IsolationLevel::None,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ProfileArg {
    Quick,
    Standard,
    Deep,
}

impl From<ProfileArg> for Profile {
    fn from(profile: ProfileArg) -> Profile {
        match profile {
            ProfileArg::Quick => Profile::Quick,
            ProfileArg::Standard => Profile::Standard,
            ProfileArg::Deep => Profile::Deep,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Audit {
    Github,
    Http,
    Local,
}

impl From<Audit> for AuditKind {
    fn from(audit: Audit) -> AuditKind {
        match audit {
            Audit::Github => AuditKind::Github,
            Audit::Http => AuditKind::Http,
            Audit::Local => AuditKind::Local,
        }
    }
}
