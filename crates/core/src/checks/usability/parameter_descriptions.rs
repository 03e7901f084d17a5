//! Parameters without a description.

use serde_json::Value;

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
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

/// Whether a line of the tool's description is about this parameter, as under `Args:`.
fn told(tool: &Tool, name: &str) -> bool {
    let text = tool.description.as_deref().unwrap_or_default();
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

/// The description may stand on the parameter or on the type it refers to.
fn described(tool: &Tool, schema: &Value) -> bool {
    let own = |schema: &Value| {
        schema
            .get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| text.trim().chars().count() > LONGER_THAN)
    };
    let referred = || {
        let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        tool.input_schema.pointer(pointer)
    };
    own(schema) || referred().is_some_and(own)
}
