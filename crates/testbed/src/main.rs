//! `testbed MODE` serves one mode; `testbed --list` names them all.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match proofmark_testbed::command(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "testbed: {why}");
            ExitCode::from(2)
        }
    }
}
