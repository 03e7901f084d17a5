//! Every mode, by family. A new mode is an entry in its family's list and one in `labels.toml`.

mod answers;
mod demo;
mod errors;
mod framing;
mod good;
mod holes;
mod listing;
mod living;
mod startup;

use crate::mode::Mode;

const FAMILIES: [&[Mode]; 9] = [
    demo::MODES,
    good::MODES,
    startup::MODES,
    framing::MODES,
    answers::MODES,
    listing::MODES,
    errors::MODES,
    living::MODES,
    holes::MODES,
];

pub(crate) fn all() -> impl Iterator<Item = &'static Mode> {
    FAMILIES.into_iter().flatten()
}

pub(crate) fn find(name: &str) -> Option<&'static Mode> {
    all().find(|mode| mode.name == name)
}
