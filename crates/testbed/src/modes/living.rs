//! Servers that die too early or not at all.

use super::good::good;
use crate::mode::{Act, Mode};

pub(super) const MODES: &[Mode] = &[
    Mode::good("crashes-on-bad-input", good).bending(|scene, acts| {
        if scene.bad_arguments {
            let says = "fatal: unexpected argument, giving up".to_owned();
            vec![Act::Complain(says), Act::Exit(1)]
        } else {
            acts
        }
    }),
    Mode::good("dies-after-40", good)
        .bending(|scene, acts| if scene.requests > 40 { vec![Act::Exit(1)] } else { acts }),
    Mode { stubborn: true, ..Mode::good("ignores-sigterm", good) },
];
