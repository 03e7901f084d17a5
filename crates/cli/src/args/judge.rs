//! The flags about a language model.

use std::time::Duration;

use clap::{Args, ValueEnum};
use proofmark_core::dimensions::Mode;
use proofmark_live::judge::Dialect;

use super::values;

#[derive(Debug, Args)]
#[command(next_help_heading = "Language model (without --judge nothing leaves this machine)")]
pub(crate) struct JudgeArgs {
    /// Ask a model about test cases too: openai:MODEL or anthropic:MODEL
    #[arg(long, value_name = "SERVICE:MODEL", value_parser = values::judge)]
    pub(crate) judge: Option<(Dialect, String)>,
    /// Where the model is, such as http://127.0.0.1:8080/v1; the public service unless given
    #[arg(long, value_name = "URL", requires = "judge")]
    pub(crate) judge_url: Option<String>,
    /// The environment variable with the key; OPENAI_API_KEY or ANTHROPIC_API_KEY unless given
    #[arg(long, value_name = "NAME", requires = "judge")]
    pub(crate) judge_key_env: Option<String>,
    /// Which cases it sees: those the rules are unsure of, all, or all beside the rules
    #[arg(long, value_name = "MODE", default_value = "audit", requires = "judge")]
    pub(crate) judge_mode: ModeArg,
    /// Requests in all, repeated ones included
    #[arg(long, value_name = "N", default_value_t = 200, requires = "judge")]
    pub(crate) judge_calls: u64,
    /// Tokens in all, sent and received
    #[arg(long, value_name = "N", default_value_t = 400_000, requires = "judge")]
    pub(crate) judge_tokens: u64,
    /// US dollars for a million tokens sent and received, e.g. 0.15,0.60
    #[arg(long, value_name = "IN,OUT", value_parser = values::prices, requires = "judge")]
    pub(crate) judge_price: Option<(f64, f64)>,
    /// US dollars in all
    #[arg(long, value_name = "USD", requires = "judge_price")]
    pub(crate) judge_cost: Option<f64>,
    /// How long one answer may take
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = values::duration, requires = "judge")]
    pub(crate) judge_timeout: Duration,
    /// Requests under way at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64), requires = "judge")]
    pub(crate) judge_concurrency: u16,
    /// Cases in one request
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=50), requires = "judge")]
    pub(crate) judge_batch: u16,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ModeArg {
    Audit,
    Full,
    SecondOpinion,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Mode {
        match mode {
            ModeArg::Audit => Mode::Audit,
            ModeArg::Full => Mode::Full,
            ModeArg::SecondOpinion => Mode::SecondOpinion,
        }
    }
}
