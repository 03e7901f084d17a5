//! The MCP registry: `server.json`, and proof that the package is the publisher's.

use serde_json::Value;

use super::shared::{self, text};
use super::{Case, Item};

const PAPER: &str = "server.json";
const DESCRIPTION: usize = 100;
const NAME: usize = 200;

pub(super) fn items(case: &Case<'_>) -> Vec<Item> {
    let mut items = vec![shared::comes_up(case)];
    match case.papers.json(PAPER) {
        Err(why) => items.push(shared::without(case, "server.json is there and readable", why)),
        Ok(paper) => {
            items.push(Item::pass("server.json is there and readable", "it is"));
            items.extend([schema(&paper), name(&paper), description(&paper), places(&paper)]);
            items.push(exact(&paper));
            items.push(shared::version(case, PAPER, text(&paper, "/version")));
            items.push(owned(case, &paper));
        }
    }
    items.push(Item::ask(
        "The name belongs to you",
        "can you prove the namespace, by GitHub login or by DNS?",
    ));
    items
}

fn schema(paper: &Value) -> Item {
    const TITLE: &str = "It names its schema";
    match text(paper, "/$schema") {
        Some(url) if url.contains("modelcontextprotocol") => Item::pass(TITLE, url),
        Some(url) => Item::fail(TITLE, format!("{url} is not the registry's")),
        None => Item::fail(TITLE, "`$schema` is missing"),
    }
}

fn name(paper: &Value) -> Item {
    const TITLE: &str = "Its name is a reversed domain and one slash";
    let Some(name) = text(paper, "/name") else { return Item::fail(TITLE, "`name` is missing") };
    let part = |t: &str, more: &str| {
        !t.is_empty() && t.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let good = match name.split_once('/') {
        Some((domain, rest)) => domain.contains('.') && part(domain, ".-") && part(rest, "._-"),
        None => false,
    };
    match good && name.len() <= NAME {
        true => Item::pass(TITLE, name),
        false => Item::fail(TITLE, format!("{name}; expected one such as io.github.you/server")),
    }
}

fn description(paper: &Value) -> Item {
    const TITLE: &str = "Its description is at most 100 characters long";
    match text(paper, "/description").map(|d| d.chars().count()) {
        None => Item::fail(TITLE, "`description` is missing"),
        Some(n) if n > DESCRIPTION => Item::fail(TITLE, format!("it has {n}")),
        Some(n) => Item::pass(TITLE, format!("it has {n}")),
    }
}

fn packages(paper: &Value) -> impl Iterator<Item = &Value> {
    paper.get("packages").and_then(Value::as_array).into_iter().flatten()
}

fn places(paper: &Value) -> Item {
    const TITLE: &str = "It says where the server is to be had";
    let remotes = paper.get("remotes").and_then(Value::as_array).map_or(0, Vec::len);
    match (packages(paper).count(), remotes) {
        (0, 0) => Item::fail(TITLE, "neither `packages` nor `remotes`"),
        (p, r) => Item::pass(TITLE, format!("{p} packages, {r} remotes")),
    }
}

/// One version, not a range.
fn exact(paper: &Value) -> Item {
    let all = [Some(paper)].into_iter().flatten().chain(packages(paper));
    let wrong: Vec<String> = all
        .filter_map(|v| text(v, "/version"))
        .filter(|v| {
            *v == "latest"
                || v.contains(['^', '~', '*', '<', '>', '|', ' ', ','])
                || v.ends_with(".x")
        })
        .map(|v| format!("`{v}` is no single version"))
        .collect();
    Item::of("Versions are exact", "they are", &wrong)
}

/// The package itself names the entry of the registry.
fn owned(case: &Case<'_>, paper: &Value) -> Item {
    const TITLE: &str = "The package names the entry of the registry";
    let name = text(paper, "/name").unwrap_or_default();
    let kinds: Vec<&str> = packages(paper)
        .filter_map(|p| text(p, "/registryType").or(text(p, "/registry_type")))
        .collect();
    let mut wrong = Vec::new();
    if kinds.contains(&"npm") {
        let said = case.papers.json("package.json");
        match said.as_ref().map(|p| text(p, "/mcpName")) {
            Ok(Some(other)) if other == name => {}
            Ok(Some(other)) => wrong.push(format!("package.json has `mcpName` {other}")),
            Ok(None) => wrong.push(format!("package.json lacks `\"mcpName\": \"{name}\"`")),
            Err(why) => wrong.push(why.clone()),
        }
    }
    if kinds.contains(&"pypi") {
        let marked = |t: &str| t.contains(&format!("mcp-name: {name}"));
        if !shared::readme(case).is_some_and(marked) {
            wrong.push(format!("the README lacks `mcp-name: {name}`"));
        }
    }
    match kinds.iter().all(|k| ["npm", "pypi"].contains(k)) {
        true => Item::of(TITLE, "it does", &wrong),
        false if !wrong.is_empty() => Item::of(TITLE, "", &wrong),
        false => Item::ask(TITLE, format!("look at the packages of kind {}", kinds.join(", "))),
    }
}
