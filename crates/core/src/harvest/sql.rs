//! Statements for tools that take SQL: on a table that we made ourselves.

use serde_json::Value;

use super::fill::Aim;
use super::sense::Stage;
use super::{Found, Harvest};
use crate::evidence::Tool;
use crate::probe::words;

const OWN: &str = "sample_notes";

pub(super) fn is_sql(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(first.as_str(), "select" | "insert" | "create") && text.contains(' ')
}

/// A statement fit for the tool, judged by its name and what it complained about.
pub(super) fn statement(tool: &Tool, aim: Aim<'_>, harvest: &Harvest) -> Option<String> {
    let complaint = match aim {
        Aim::Mend(text) => text.to_lowercase(),
        Aim::Sharpen => String::new(),
    };
    let name = words(&tool.name);
    let makes = name.iter().any(|w| w == "create") || complaint.contains("create table");
    if makes {
        return (!complaint.is_empty()).then(|| {
            format!("CREATE TABLE {OWN} (id INTEGER PRIMARY KEY, title TEXT, amount INTEGER)")
        });
    }
    let table = harvest.found.iter().rev().find(|f| is_our_table(f))?.value.as_str()?;
    let read = format!("SELECT * FROM {table} LIMIT 5");
    match Stage::of(tool) {
        Stage::Read => Some(read),
        Stage::Delete => Some(format!("DELETE FROM {table} WHERE 1 = 0")),
        Stage::Create | Stage::Update if complaint.contains("only select") => Some(read),
        Stage::Create | Stage::Update if table == OWN => {
            Some(format!("INSERT INTO {OWN} (title, amount) VALUES ('Heron at the weir', 3)"))
        }
        Stage::Create | Stage::Update => Some(format!("INSERT INTO {table} DEFAULT VALUES")),
    }
}

fn is_our_table(found: &Found) -> bool {
    found.ours && found.noun == ["table"] && matches!(found.value, Value::String(_))
}
