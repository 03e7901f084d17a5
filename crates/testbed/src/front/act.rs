//! The acts that concern the process and not the wire.

use std::io::Write;

/// Ends the process, as the mode wants it.
#[expect(clippy::exit, reason = "dying at a chosen moment is what some modes are for")]
pub(super) fn exit(code: i32) -> ! {
    std::process::exit(code)
}

/// A reader that is gone is no reason to stop.
pub(crate) fn complain(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.write_all(b"\n"));
}

/// Bytes that are no text in any encoding of Unicode.
pub(crate) fn babble() {
    let _ = std::io::stderr().lock().write_all(b"\xff\xfe\x80\n");
}

/// Points stdout elsewhere, so that whoever reads it sees its end.
pub(super) fn close_stdout() {
    if let Ok(nowhere) = std::fs::File::create("/dev/null") {
        let _ = nix::unistd::dup2_stdout(&nowhere);
    }
}
