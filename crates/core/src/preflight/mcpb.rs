//! An MCP bundle: its `manifest.json`, against the server that is in it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::shared::{self, text};
use super::{Case, Item};

const PAPER: &str = "manifest.json";

pub(super) fn items(case: &Case<'_>) -> Vec<Item> {
    let mut items = vec![shared::comes_up(case)];
    match case.papers.json(PAPER) {
        Err(why) => items.push(shared::without(case, "manifest.json is there and readable", why)),
        Ok(paper) => {
            items.push(Item::pass("manifest.json is there and readable", "it is"));
            items.extend([required(&paper), entry(case, &paper), icon(case, &paper)]);
            items.push(shared::version(case, PAPER, text(&paper, "/version")));
            items.extend([tools(case, &paper), policies(&paper)]);
        }
    }
    items.extend([shared::titles(case), shared::safety_hints(case), shared::bounded(case)]);
    items.push(Item::ask(
        "The bundle runs on every platform it names",
        "was it installed and tried on a clean machine?",
    ));
    items
}

fn required(paper: &Value) -> Item {
    const FIELDS: [&str; 8] = [
        "/manifest_version",
        "/name",
        "/version",
        "/description",
        "/author/name",
        "/server/type",
        "/server/entry_point",
        "/server/mcp_config/command",
    ];
    let missing: Vec<String> = FIELDS
        .iter()
        .filter(|f| text(paper, f).is_none())
        .map(|f| format!("`{}` is missing", f.trim_start_matches('/').replace('/', ".")))
        .collect();
    Item::of("It has all required fields", "it has", &missing)
}

fn entry(case: &Case<'_>, paper: &Value) -> Item {
    const TITLE: &str = "What it starts is in the project";
    match text(paper, "/server/entry_point") {
        None => Item::fail(TITLE, "`server.entry_point` is missing"),
        Some(path) if case.papers.has(path) => Item::pass(TITLE, path),
        Some(path) => Item::ask(TITLE, format!("{path} is not there; is it built when packing?")),
    }
}

fn icon(case: &Case<'_>, paper: &Value) -> Item {
    const TITLE: &str = "It names an icon that is there";
    let first = paper.pointer("/icons/0/src").and_then(Value::as_str);
    match text(paper, "/icon").or(first) {
        None => Item::fail(TITLE, "neither `icon` nor `icons`"),
        Some(path) if !case.papers.has(path) => Item::fail(TITLE, format!("{path} is not there")),
        Some(path) if !path.to_lowercase().ends_with(".png") => {
            Item::fail(TITLE, format!("{path} is no PNG"))
        }
        Some(path) => Item::pass(TITLE, path),
    }
}

/// Tools that are declared against those that are there.
fn tools(case: &Case<'_>, paper: &Value) -> Item {
    const TITLE: &str = "The tools it declares are those of the server";
    let declared = paper.get("tools").and_then(Value::as_array);
    let live: BTreeSet<&str> =
        case.evidence.inventory.tools.iter().map(|t| t.name.as_str()).collect();
    let Some(declared) = declared else {
        return Item::pass(TITLE, "it declares none");
    };
    if live.is_empty() {
        return Item::ask(TITLE, "no tools were seen");
    }
    let declared: BTreeSet<&str> = declared.iter().filter_map(|t| text(t, "/name")).collect();
    let grows = paper.get("tools_generated") == Some(&Value::Bool(true));
    let gone = declared.difference(&live).map(|t| format!("{t} is declared and not there"));
    let new = live.difference(&declared).filter(|_| !grows);
    let new = new.map(|t| format!("{t} is there and not declared"));
    Item::of(TITLE, "they are", &gone.chain(new).collect::<Vec<_>>())
}

fn policies(paper: &Value) -> Item {
    const TITLE: &str = "It links privacy policies where data leaves the machine";
    let links = paper.get("privacy_policies").and_then(Value::as_array);
    let links: Vec<&str> = links.into_iter().flatten().filter_map(Value::as_str).collect();
    let bad: Vec<String> = links
        .iter()
        .filter(|l| !l.starts_with("https://"))
        .map(|l| format!("{l} is no https:// address"))
        .collect();
    match links.is_empty() {
        true => Item::ask(TITLE, "it links none; does the server send data to any service?"),
        false => Item::of(TITLE, "it does", &bad),
    }
}
