//! From the parsed command line to the command.

use std::process::ExitCode;

use anyhow::Result;

use super::{
    accuracy, assess, call, checks, completions, conformance, demo, diff, dimensions, explain,
    init, pin, preflight, score,
};
use crate::args::Command;
use crate::screen::Screen;

pub(crate) fn run(command: Command, screen: &Screen) -> Result<ExitCode> {
    match command {
        Command::Assess(args) => assess::run(&args, screen),
        Command::Call(args) => call::run(&args, screen),
        Command::Conformance(args) => conformance::run(&args, screen),
        Command::Pin(args) => pin::run(&args, screen),
        Command::Score(args) => score::run(&args, screen),
        Command::Dimensions(args) => dimensions::run(&args, screen),
        Command::Explain(args) => explain::run(&args, screen),
        Command::Checks(args) => checks::run(&args, screen),
        Command::Accuracy(args) => accuracy::run(&args, screen),
        Command::Demo(args) => demo::run(&args, screen),
        Command::Init(args) => init::run(&args, screen),
        Command::Diff(args) => diff::run(&args, screen),
        Command::Upgrade(args) => diff::upgrade(&args, screen),
        Command::Preflight(args) => preflight::run(&args, screen),
        Command::Completions { shell } => completions::run(shell, screen),
        Command::Serve { words } => demo::serve(words),
    }
}
