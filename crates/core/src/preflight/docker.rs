//! The MCP catalogue of Docker.

use super::{Case, Item, shared};
use crate::target::Target;

pub(super) fn items(case: &Case<'_>) -> Vec<Item> {
    vec![
        shared::comes_up(case),
        unconfigured(case),
        image(case),
        licence(case),
        shared::descriptions(case),
        shared::working(case),
        shared::no_holes(case),
        shared::icon(case),
        Item::ask(
            "server.yaml describes the server",
            "has it a name, a category, a description, and every secret and setting?",
        ),
        Item::ask(
            "The image can be built by Docker",
            "only then is it signed, with a list of parts",
        ),
    ]
}

/// Their build lists the tools of a bare container.
fn unconfigured(case: &Case<'_>) -> Item {
    const TITLE: &str = "Tools are listed without any setting";
    match (&case.evidence.target, case.evidence.inventory.tools.is_empty()) {
        (Target::Stdio { env, .. }, false) if env.is_empty() => {
            Item::pass(TITLE, "this run gave it none")
        }
        (Target::Stdio { .. }, false) => {
            Item::ask(TITLE, "this run gave it variables; does it list its tools without them?")
        }
        (Target::Stdio { .. }, true) => Item::fail(TITLE, "no tools were listed"),
        (Target::Http { .. } | Target::Sse { .. } | Target::Source { .. }, _) => {
            Item::ask(TITLE, "a container was not tried")
        }
    }
}

fn image(case: &Case<'_>) -> Item {
    const TITLE: &str = "There is a Dockerfile";
    match (&case.evidence.target, case.papers.has("Dockerfile"), case.papers.given) {
        (Target::Http { .. } | Target::Sse { .. }, _, _) => {
            Item::pass(TITLE, "a remote server needs none")
        }
        (Target::Stdio { .. } | Target::Source { .. }, true, _) => Item::pass(TITLE, "it is there"),
        (Target::Stdio { .. } | Target::Source { .. }, false, true) => {
            Item::fail(TITLE, "there is none at the root of the project")
        }
        (Target::Stdio { .. } | Target::Source { .. }, false, false) => {
            Item::ask(TITLE, "no project was given to look into; give --source DIR")
        }
    }
}

fn licence(case: &Case<'_>) -> Item {
    const TITLE: &str = "The licence lets others use it";
    let source = case.evidence.source.as_ref();
    let named = source.and_then(|s| s.package.as_ref()).and_then(|p| p.licence.as_deref());
    let file = source.and_then(|s| s.licence.as_ref()).map(|d| d.text.as_str());
    let head: String = file.unwrap_or_default().chars().take(300).collect();
    let said = format!("{} {head}", named.unwrap_or_default()).to_lowercase();
    let shown = named.unwrap_or("a licence file").to_owned();
    let is = |words: &[&str]| words.iter().any(|w| said.contains(w));
    match (is(&["gpl", "general public"]), is(&["mit", "apache", "bsd", "isc"])) {
        (true, _) => Item::fail(TITLE, format!("{shown}: copyleft is not taken")),
        (false, true) => Item::pass(TITLE, shown),
        (false, false) if said.trim().is_empty() => Item::ask(TITLE, "no licence was found"),
        (false, false) => Item::ask(TITLE, format!("{shown}: is it permissive?")),
    }
}
