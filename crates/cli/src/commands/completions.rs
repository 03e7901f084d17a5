//! `completions`: for the shells that clap knows.

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::screen::Screen;

pub(super) fn run(shell: Shell, screen: &Screen) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "proofmark", &mut script);
    screen.print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
