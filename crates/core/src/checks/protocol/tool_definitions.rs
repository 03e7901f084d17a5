//! The definitions of tools, as every revision wants them: names, and schemas of objects.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{listings, revisions};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/tool-definitions",
    title: "Tools have unique names and take objects",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("TOOL-03", shape),
        rule("TOOL-06", name),
        rule("TOOL-07", unique),
        rule("TOOL-11", output),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE],
    page: include_str!("tool_definitions.md"),
    judge: by_rules,
};

fn shape(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "give every tool a string `name` and an `inputSchema` with `\"type\": \"object\"`";
    talk.listing("tools/list")?.every("name and inputSchema as required", fix, |tool| {
        let schema = tool.get("inputSchema");
        if !tool.get("name").is_some_and(Value::is_string) {
            Some("`name` is missing or not a string".to_owned())
        } else if !schema.is_some_and(Value::is_object) {
            Some("`inputSchema` is missing or not an object".to_owned())
        } else {
            root_flaw("inputSchema", schema)
        }
    })
}

fn root_flaw(key: &str, schema: Option<&Value>) -> Option<String> {
    let typed = schema?.get("type").and_then(Value::as_str) == Some("object");
    (!typed).then(|| format!("the root of `{key}` has no `\"type\": \"object\"`"))
}

fn name(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    let fix = "name tools with 1 to 128 letters, digits, `_`, `-` and `.`";
    let fits = |name: &str| {
        (1..=128).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    };
    let ruling = talk.listing("tools/list")?.every("names fit", fix, |tool| {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        (!fits(name)).then(|| "the name has other characters, or is too long or empty".to_owned())
    })?;
    if ruling.is_fail() { Ok(ruling) } else { unique(talk, row) }
}

fn unique(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let listed = talk.listing("tools/list")?;
    if listed.loops.is_some() {
        return Err(Ruling::not_testable("the list comes back to its beginning"));
    }
    let names: Vec<&str> = listed.items.iter().filter_map(|t| t.get("name")?.as_str()).collect();
    listed.every("names are unique", "give each tool a name of its own", |tool| {
        let name = tool.get("name")?.as_str()?;
        let times = names.iter().filter(|n| **n == name).count();
        (times > 1).then(|| format!("listed {times} times"))
    })
}

fn output(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let listed = talk.listing("tools/list")?;
    if !listed.items.iter().any(|t| t.get("outputSchema").is_some()) {
        return Err(Ruling::not_testable("no tool declares `outputSchema`"));
    }
    let fix = "give `outputSchema` the root `\"type\": \"object\"`";
    listed.every("outputSchema as required", fix, |t| {
        root_flaw("outputSchema", t.get("outputSchema"))
    })
}
