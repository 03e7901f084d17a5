//! The connectors directory of Anthropic.

use super::{Case, Item, shared};

pub(super) fn items(case: &Case<'_>) -> Vec<Item> {
    vec![
        shared::comes_up(case),
        shared::transport(case),
        shared::oauth(case),
        shared::titles(case),
        shared::safety_hints(case),
        shared::hints_hold(case),
        shared::names(case),
        shared::descriptions(case),
        shared::working(case),
        shared::bounded(case),
        shared::no_holes(case),
        shared::documented(case),
        shared::privacy(case),
        shared::icon(case),
        Item::ask(
            "Reviewers can log in",
            "is there a test account with data, and a contact for support?",
        ),
        Item::ask(
            "The server keeps to the directory's policy",
            "does it move no money, and collect nothing it does not need?",
        ),
    ]
}
