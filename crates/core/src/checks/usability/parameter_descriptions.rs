//! Parameters without a description.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::probe::words;
use crate::response::quote;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "usability/parameter-descriptions",
    title: "Every parameter says what to put there",
    facet: Facet::ParameterDocs,
    severity: Severity::Low,
    class: None,
    requirements: &[served("TOOL-32")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("parameter_descriptions.md"),
    judge,
};

const LONGER_THAN: usize = 10;
/// What arguments are listed after.
const LIST: &str = "Args:";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    evidence.tools().filter_map(verdict).collect()
}

/// `None` for a tool without parameters.
fn verdict(tool: &Tool) -> Option<Finding> {
    let all: Vec<(&str, &Value)> = tool.parameters().collect();
    let bare: Vec<&str> =
        all.iter().filter(|(_, schema)| !described(tool, schema)).map(|(name, _)| *name).collect();
    if all.is_empty() {
        return None;
    }
    let subject = Subject::tool_named(&tool.name);
    let good = all.len() - bare.len();
    let told = bare.iter().filter(|name| told(tool, name)).count();
    Some(if bare.is_empty() {
        Finding::pass(subject, format!("all {} parameters are described", all.len()))
    } else {
        let where_else = match told {
            0 => String::new(),
            n => format!(" ({n} only in the description of the tool)"),
        };
        let says = format!(
            "{good} of {} parameters are described; not {}{where_else}",
            all.len(),
            quote(&bare.join(", "))
        );
        let fix = "give every property of `inputSchema` a `description` with meaning, format and an example";
        // A model reads the tool's description too; forms and validators do not.
        Finding::partial(subject, Grade::share(2 * good + told, 2 * all.len()), says, fix)
    })
}

/// Whether the tool's description is about this parameter: in a line of its own, as under `Args:`,
/// in a list after it, or by its name in a sentence.
fn told(tool: &Tool, name: &str) -> bool {
    let text = tool.description.as_deref().unwrap_or_default();
    has_line(text, name) || is_listed(text, name) || is_spoken_of(text, name)
}

fn has_line(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches([' ', '\t', '-', '*', '`']);
        let Some(rest) = line.strip_prefix(name) else { return false };
        let rest = rest.trim_start_matches(['`', '*', ' ']);
        let rest = match rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
            Some((_, after)) => after.trim_start(),
            None => rest,
        };
        let says = rest.strip_prefix([':', '-', '–', '—']).unwrap_or_default();
        says.trim().chars().count() > LONGER_THAN
    })
}

/// `Args: path (str), place ('before' or 'after')`: a type alone tells nothing, values do.
fn is_listed(text: &str, name: &str) -> bool {
    let lists = text.lines().filter_map(|line| Some(line.split_once(LIST)?.1));
    lists.flat_map(|list| list.split("),")).any(|entry| {
        let rest = entry.trim().strip_prefix(name).and_then(|r| r.trim_start().strip_prefix('('));
        rest.is_some_and(|told| told.chars().count() > LONGER_THAN && told.contains(['\'', '"']))
    })
}

/// Prose has plain words in their own right: `params` must be set off, `file_path` may be written
/// "file path".
fn is_spoken_of(text: &str, name: &str) -> bool {
    let prose = text.split(LIST).next().unwrap_or_default();
    let parts = words(name);
    let spoken = || words(prose).windows(parts.len()).any(|said| said == parts);
    let set_off = ["`", "'", "\""].iter().any(|q| prose.contains(&format!("{q}{name}{q}")));
    set_off || (parts.len() > 1 && spoken())
}

/// The description may stand on the parameter, in a branch of it, or on the type it refers to.
fn described(tool: &Tool, schema: &Value) -> bool {
    let own = |schema: &Value| {
        schema
            .get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| text.trim().chars().count() > LONGER_THAN)
    };
    let referred = |schema: &Value| {
        let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        tool.input_schema.pointer(pointer)
    };
    let here = |schema: &Value| own(schema) || referred(schema).is_some_and(own);
    let branches = ["anyOf", "oneOf", "allOf"].iter().filter_map(|k| schema.get(*k)?.as_array());
    here(schema) || branches.flatten().any(here)
}
