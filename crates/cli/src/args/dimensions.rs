//! The flags of `dimensions`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proofmark_core::dimensions::Profile;

use super::{JudgeArgs, Output};

const EXAMPLES: &str = "\
Examples:
  proofmark dimensions test_report_files.json -o report.md -o radar.svg
  proofmark dimensions run.json.zst                    a run of `assess --evidence`
  proofmark dimensions reports/*.json -o summary.md -o summary.csv -o radar.svg -o boxes.svg
  proofmark dimensions run.json.zst --export test_report_files.json
  proofmark dimensions test_report_files.json --judge openai:MODEL --judge-url http://127.0.0.1:8080/v1 --answers answers.json
  proofmark dimensions test_report_files.json --answers answers.json     again, without the model";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Dimensions {
    /// Test reports (test_report_SERVER.json) or evidence files
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) bands: Bands,
    /// Write the cases as test_report_SERVER.json, for others to judge
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,
    /// Keep the model's answers in this file; without --judge, judge by those kept there
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub(crate) struct Bands {
    /// The bands of the dimensions rubric: seed (95/85/70) or labels (95/75/60)
    #[arg(long, value_name = "BANDS", default_value = "seed")]
    pub(crate) bands: BandsArg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BandsArg {
    Seed,
    Labels,
}

impl From<BandsArg> for Profile {
    fn from(bands: BandsArg) -> Profile {
        match bands {
            BandsArg::Seed => Profile::Seed,
            BandsArg::Labels => Profile::Labels,
        }
    }
}
