//! Servers that misuse their streams.

use super::good::good;
use crate::mode::{Act, Mode, Scene};

pub(super) const MODES: &[Mode] = &[
    Mode::good("stdout-noise", good)
        .starting(|_| vec![Act::Raw("Notebook server v1.0.0 starting up...".to_owned())])
        .bending(noisy),
    Mode::good("floods-stderr", good)
        .starting(|_| vec![flood(8 << 20)])
        .bending(|_, acts| [vec![flood(256 << 10)], acts].concat()),
    Mode::good("closes-stdout", good)
        .bending(|scene, acts| if scene.calls < 3 { acts } else { vec![Act::CloseStdout] }),
];

/// A debug line before each tool's answer, as `print` in a handler leaves it.
fn noisy(scene: &Scene<'_>, acts: Vec<Act>) -> Vec<Act> {
    if !scene.is_call() {
        return acts;
    }
    let line = Act::Raw(format!("[debug] calling tool {}", scene.tool()));
    [vec![line], acts].concat()
}

/// More than a pipe holds: whoever does not read it blocks the server.
fn flood(bytes: usize) -> Act {
    let line = "WARN cache miss for key notebook:index, falling back to a full scan\n";
    Act::Complain(line.repeat(bytes / line.len()))
}
