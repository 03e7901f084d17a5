//! The typical call of a tool that offers formats, once in each of a few of them.

use serde_json::{Map, Value};

use crate::arguments::{pointer_to, violates};
use crate::evidence::{Evidence, Tool};
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::valid_call;
use crate::promise::is_in;
use crate::response::Shape;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "formats", hostile: false, lane: Lane::Shared, plan };

const MOST: usize = 3;

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let working = evidence.tools().filter(|t| valid_call::succeeded(evidence, &t.name));
    working.filter_map(|tool| calls(evidence, tool)).flatten().collect()
}

fn calls(evidence: &Evidence, tool: &Tool) -> Option<Vec<Call>> {
    let (name, choices) = parameter(tool)?;
    let base = valid_call::working(evidence, &tool.name)?.arguments()?.as_object()?;
    let call = |choice: &str| {
        let mut arguments: Map<String, Value> = base.clone();
        arguments.insert(name.to_owned(), Value::from(choice));
        let arguments = Value::Object(arguments);
        violates(&tool.input_schema, &arguments)
            .is_none()
            .then(|| Call::tool(&tool.name, choice, arguments).about(&pointer_to("", name)))
    };
    Some(choices.into_iter().filter_map(call).collect())
}

/// The parameter of a reading tool that chooses the format of the answer, and the choices that
/// can be told apart by looking.
pub fn parameter(tool: &Tool) -> Option<(&str, Vec<&str>)> {
    const OUTPUTS: &str = "output response result return reply export";
    const INPUTS: &str = "body code content data document input payload source string text value";
    if Risk::of_tool(tool) != Risk::Reads {
        return None;
    }
    // Beside a text that is handed in, a bare `format` may well be the format of that text.
    let takes_text = tool.parameters().any(|(name, _)| is_in(&name.to_lowercase(), INPUTS));
    tool.parameters().find_map(|(name, schema)| {
        let said = words(name);
        let last = said.last()?.as_str();
        let of_output = said.iter().any(|word| is_in(word, OUTPUTS));
        let format = matches!(last, "format" | "mime") || (last == "type" && said.len() > 1);
        let choices = schema.get("enum")?.as_array()?.iter().filter_map(Value::as_str);
        let known: Vec<&str> = choices.filter(|c| Shape::named(c).is_some()).take(MOST).collect();
        (format && (of_output || !takes_text) && !known.is_empty()).then_some((name, known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn sent(properties: &str) -> Vec<String> {
        let snippet = format!(
            r#"{{"tools": [{{"name": "get_notes", "inputSchema": {{"type": "object", "properties": {{{properties}}}}}}}],
                "exchanges": [{{"probe": "valid-call", "tool": "get_notes", "label": "typical",
                "arguments": {{}}, "reply": {{"text": "fine"}}}}]}}"#
        );
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        calls.iter().map(|c| c.send.params().unwrap()["arguments"].to_string()).collect()
    }

    #[test]
    fn each_format_that_can_be_told_is_asked_for() {
        let format = r#""outputFormat": {"type": "string", "enum": ["json", "terse", "csv"]}"#;
        assert_eq!(sent(format), [r#"{"outputFormat":"json"}"#, r#"{"outputFormat":"csv"}"#]);
    }

    #[test]
    fn formats_of_dates_and_of_what_is_handed_in_are_left_alone() {
        assert!(sent(r#""format": {"type": "string", "enum": ["iso", "unix"]}"#).is_empty());
        let given =
            r#""text": {"type": "string"}, "format": {"type": "string", "enum": ["json", "yaml"]}"#;
        assert!(sent(given).is_empty());
    }
}
