//! The shim as a program of its own, for tests and for users of the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    proofmark_live::isolate::confine::main(&args)
}
