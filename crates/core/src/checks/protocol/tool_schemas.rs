//! The schemas of tools, by the meta-schema of their dialect.

use serde_json::Value;

use crate::arguments::validator;
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{listings, revisions};
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/tool-schemas",
    title: "Schemas of tools are valid in their dialect",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TOOL-04", input), rule("TOOL-05", dialect)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE],
    page: include_str!("tool_schemas.md"),
    judge: by_rules,
};

const SCHEMA: &str = "correct the schema until a validator of its dialect compiles it";

fn input(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.listing("tools/list")?.every("inputSchema fits its meta-schema", SCHEMA, |tool| {
        let schema = tool.get("inputSchema").filter(|s| s.is_object());
        let Some(schema) = schema else { return Some("`inputSchema` is not an object".to_owned()) };
        meta_flaw(schema).map(|why| format!("`inputSchema`: {why}"))
    })
}

/// Dialects that we do not know are not judged.
fn meta_flaw(schema: &Value) -> Option<String> {
    if !is_known(schema) {
        return None;
    }
    let error = jsonschema::meta::options().validate(schema).err()?;
    Some(format!("at \"{}\": {}", error.instance_path(), quote(&error.to_string())))
}

fn is_known(schema: &Value) -> bool {
    let dialect = schema.get("$schema").and_then(Value::as_str);
    dialect.is_none_or(|d| d.contains("json-schema.org/"))
}

fn dialect(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.listing("tools/list")?.every("all schemas compile", SCHEMA, |tool| {
        ["inputSchema", "outputSchema"].into_iter().find_map(|key| {
            let schema = tool.get(key).filter(|s| s.is_object())?;
            let fails = is_known(schema) && !refers_away(schema) && validator(schema).is_none();
            fails.then(|| format!("`{key}` does not compile"))
        })
    })
}

/// Whether a definition lies outside: nothing is fetched, so nothing is known.
pub(super) fn refers_away(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(key, value)| match value {
            Value::String(to) if key == "$ref" || key == "$dynamicRef" => !to.starts_with('#'),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
            Value::Array(_) | Value::Object(_) => refers_away(value),
        }),
        Value::Array(items) => items.iter().any(refers_away),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
