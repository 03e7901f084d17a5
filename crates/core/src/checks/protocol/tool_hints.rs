//! What tools carry besides name and schema: hints, icons, task support.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probe::{Risk, words};
use crate::probes::{listings, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/tool-hints",
    title: "Hints, icons and task support of tools are well typed",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[
        rule("TOOL-18", typed),
        rule("TOOL-19", consistent),
        rule("TOOL-31", tasks),
        rule("TOOL-33", icons),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE],
    page: include_str!("tool_hints.md"),
    judge: by_rules,
};

const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const TYPES: &str =
    "send `title` as a string and the four hints as true or false, or leave them out";

/// The rule, where at least one tool has the field.
fn where_given(
    talk: &Conversation<'_>,
    field: &str,
    good: &str,
    fix: &str,
    flaw: impl Fn(&Value) -> Option<String>,
) -> Judgement {
    let listed = talk.listing("tools/list")?;
    if !listed.items.iter().any(|t| t.get(field).is_some()) {
        return Err(Ruling::not_testable(format!("no tool has `{field}`")));
    }
    listed.every(good, fix, |tool| flaw(tool.get(field)?))
}

fn typed(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    where_given(talk, "annotations", "annotations are well typed", TYPES, |given| {
        if !given.is_object() {
            return Some("`annotations` is not an object".to_owned());
        }
        let wrong = |key: &&&str| given.get(**key).is_some_and(|v| !v.is_boolean());
        let title = given.get("title").is_some_and(|v| !v.is_string());
        let hint = HINTS.iter().find(wrong).map(|key| format!("`{key}` is not a boolean"));
        hint.or_else(|| title.then(|| "`annotations.title` is not a string".to_owned()))
    })
}

/// By its name only: who says it reads and is called `delete_all` contradicts itself.
fn consistent(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let listed = talk.listing("tools/list")?;
    let fix = "say `readOnlyHint: true` only of tools that change nothing";
    listed.every("no hint contradicts the name", fix, |tool| {
        let reads = tool.pointer("/annotations/readOnlyHint") == Some(&Value::Bool(true));
        let name = tool.get("name")?.as_str()?;
        let verb = words(name).first().and_then(|w| Risk::of_word(w));
        (reads && verb == Some(Risk::Destroys))
            .then(|| "`readOnlyHint` is true, and the name says it destroys".to_owned())
    })
}

fn tasks(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "set `execution.taskSupport` to forbidden, optional or required";
    where_given(talk, "execution", "task support is well typed", fix, |given| {
        let support = given.get("taskSupport")?;
        let known = matches!(support.as_str(), Some("forbidden" | "optional" | "required"));
        (!known).then(|| format!("`taskSupport` is {support}"))
    })
}

fn icons(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "give `icons[].src` as an https or data URI";
    where_given(talk, "icons", "icons can be shown", fix, |given| {
        let Some(icons) = given.as_array() else {
            return Some("`icons` is not an array".to_owned());
        };
        icons.iter().find_map(|icon| match icon.get("src").and_then(Value::as_str) {
            None => Some("an icon has no `src`".to_owned()),
            Some(src) if src.starts_with("https://") || src.starts_with("data:") => None,
            Some(_) => Some("an icon is neither https nor data".to_owned()),
        })
    })
}
