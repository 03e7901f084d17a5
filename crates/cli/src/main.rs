//! The command `proofmark`. Standard output is the report; everything else goes to standard error.

mod args;
mod baseline;
mod commands;
mod config;
mod gates;
mod incremental;
mod interrupt;
mod judge;
mod nearest;
mod notify;
mod output;
mod picture;
mod run;
mod screen;
mod settings;
mod target;
mod verdict;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use proofmark_live::isolate::confine;

/// Reading evidence is a million small allocations; the system's allocator takes twice as long. Huge
/// pages are not asked for (`no_thp`): to zero one takes as long as a hundred calls of a quick server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Every server starts through here: its command line must pass untouched, and without delay.
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let [first, rest @ ..] = words.as_slice()
        && first == "confine"
    {
        return confine::main(rest);
    }
    let cli = args::Cli::parse();
    let screen = screen::Screen::detect(cli.color);
    match commands::run(cli.command, &screen) {
        Ok(code) => code,
        Err(error) => {
            screen.error(&error);
            verdict::code_of(&error)
        }
    }
}
