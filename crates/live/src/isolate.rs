//! Isolation and process care.

/// Ends every server that was started.
pub fn end_all() {}

pub mod confine {
    //! The shim.

    use std::ffi::OsString;
    use std::process::ExitCode;

    pub fn main(_args: &[OsString]) -> ExitCode {
        ExitCode::FAILURE
    }
}
