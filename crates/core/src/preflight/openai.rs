//! The apps directory of OpenAI.

use super::{Case, Item, shared};

/// More than that can't be offered to a model there.
const TOOLS: usize = 128;

pub(super) fn items(case: &Case<'_>) -> Vec<Item> {
    vec![
        shared::comes_up(case),
        shared::transport(case),
        shared::oauth(case),
        few(case),
        shared::titles(case),
        hints(case),
        shared::hints_hold(case),
        Item::ask(
            "Every hint has its reason",
            "the form asks for one in words, for each hint of each tool",
        ),
        shared::names(case),
        shared::descriptions(case),
        shared::working(case),
        shared::bounded(case),
        shared::no_holes(case),
        shared::privacy(case),
        shared::icon(case),
        Item::ask("Reviewers can log in", "is there a test account that needs no second factor?"),
    ]
}

fn few(case: &Case<'_>) -> Item {
    const TITLE: &str = "There are at most 128 tools";
    match case.evidence.inventory.tools.len() {
        0 => Item::ask(TITLE, "no tools were seen"),
        n if n > TOOLS => Item::fail(TITLE, format!("there are {n}")),
        n => Item::pass(TITLE, format!("there are {n}")),
    }
}

/// All three, spelt out.
fn hints(case: &Case<'_>) -> Item {
    const WANTED: [&str; 3] = ["readOnlyHint", "destructiveHint", "openWorldHint"];
    const TITLE: &str = "Every tool says whether it reads, destroys and reaches out";
    shared::every_tool(case, TITLE, "all do", |tool| {
        let missing: Vec<&str> =
            WANTED.into_iter().filter(|hint| tool.hint(hint).is_none()).collect();
        (!missing.is_empty()).then(|| format!("lacks {}", missing.join(", ")))
    })
}
