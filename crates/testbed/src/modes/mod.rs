//! Every mode, by family. A new mode is an entry in its family's list and one in `labels.toml`.

mod answers;
mod demo;
mod doors;
mod errors;
mod framing;
mod good;
mod guarded;
mod holes;
mod listing;
mod living;
mod meaning;
mod startup;
mod turning;

use crate::mode::Mode;

const FAMILIES: [&[Mode]; 13] = [
    demo::MODES,
    good::MODES,
    guarded::MODES,
    startup::MODES,
    framing::MODES,
    answers::MODES,
    listing::MODES,
    errors::MODES,
    living::MODES,
    meaning::MODES,
    holes::MODES,
    turning::MODES,
    doors::MODES,
];

pub(crate) fn all() -> impl Iterator<Item = &'static Mode> {
    FAMILIES.into_iter().flatten()
}

pub(crate) fn find(name: &str) -> Option<&'static Mode> {
    all().find(|mode| mode.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{all, find};
    use crate::label::{self, Kind, Label, Transport};

    fn labels() -> Vec<Label> {
        label::all().expect("labels.toml parses")
    }

    #[test]
    fn every_mode_has_one_label_and_every_label_a_mode() {
        let mut modes: Vec<&str> = all().map(|mode| mode.name).collect();
        let labels = labels();
        let mut labelled: Vec<&str> = labels.iter().map(|label| label.name.as_str()).collect();
        modes.sort_unstable();
        labelled.sort_unstable();
        assert_eq!(modes, labelled);
        assert_eq!(modes.iter().collect::<BTreeSet<_>>().len(), modes.len(), "names are unique");
    }

    #[test]
    fn a_label_says_what_is_wrong_and_contradicts_neither_itself_nor_its_kind() {
        for label in labels() {
            assert!(label.wrong.ends_with('.') && !label.transports.is_empty(), "{}", label.name);
            for check in &label.expect_fail {
                assert!(check.contains('/'), "{}: {check} is no check id", label.name);
                assert!(!label.forbids_failure(check), "{}: {check} on both lists", label.name);
            }
            let vulnerable = label.kind == Kind::Vulnerable;
            assert!(label.holes.is_empty() || vulnerable, "{} has a hole", label.name);
            assert!(!(label.never_pass && label.kind == Kind::Good), "{}", label.name);
        }
    }

    #[test]
    fn holes_and_decoys_are_parameters_of_tools_that_exist() {
        for label in labels() {
            let server = (find(&label.name).expect("has a mode").server)();
            let holes = label.holes.iter().map(|hole| (&hole.tool, &hole.pointer));
            let decoys = label.decoys.iter().map(|decoy| (&decoy.tool, &decoy.pointer));
            for (name, pointer) in holes.chain(decoys) {
                let tool = server.tools.iter().find(|tool| tool.name == *name);
                let tool = tool.unwrap_or_else(|| panic!("{}: no tool {name}", label.name));
                let at = format!("/properties{pointer}");
                assert!(tool.input.pointer(&at).is_some(), "{}: {name} {pointer}", label.name);
            }
        }
    }

    #[test]
    fn a_mode_that_leaves_or_soils_its_process_is_not_offered_over_http() {
        for name in ["stdout-noise", "closes-stdout", "ignores-sigterm", "exits-at-once"] {
            let label = labels().into_iter().find(|l| l.name == name).expect("is labelled");
            assert_eq!(label.transports, [Transport::Stdio], "{name}");
        }
    }
}
