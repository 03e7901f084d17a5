//! What a response is made of, whatever it says.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::quote;
use crate::arguments::violates;
use crate::evidence::Tool;

/// The make-up of one tool result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// In order of first appearance.
    pub content_types: Vec<String>,
    pub text_blocks: usize,
    pub images: usize,
    pub audio: usize,
    /// Embedded resources and links to resources.
    pub resources: usize,
    pub structured_content: bool,
    pub meta: bool,
    /// `None` when the tool declares no `outputSchema`, or the result is an error.
    pub output_schema: Option<SchemaResult>,
}

/// How a result stands to the tool's `outputSchema`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaResult {
    pub source: StructureSource,
    /// The first violation; `None` when it conforms.
    pub error: Option<String>,
}

/// Where the value that was held against the schema came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StructureSource {
    StructuredContent,
    /// JSON found in a text block, for want of structured content.
    Text,
    Nowhere,
}

impl SchemaResult {
    pub fn is_valid(&self) -> bool {
        self.error.is_none()
    }

    fn of(schema: &Value, result: &Value) -> SchemaResult {
        let structured = result.get("structuredContent").cloned();
        let (source, value) = match structured {
            Some(value) => (StructureSource::StructuredContent, Some(value)),
            None => match json_in_text(result) {
                Some(value) => (StructureSource::Text, Some(value)),
                None => (StructureSource::Nowhere, None),
            },
        };
        let error = match value {
            Some(value) => violates(schema, &value).map(|(at, why)| {
                let at = if at.is_empty() { "the root".to_owned() } else { at };
                format!("at {at}: {}", quote(&why))
            }),
            None => Some("no `structuredContent`, and no JSON in its text".to_owned()),
        };
        SchemaResult { source, error }
    }
}

impl Metadata {
    pub fn of(result: &Value, tool: &Tool) -> Metadata {
        let mut found = Metadata {
            structured_content: result.get("structuredContent").is_some(),
            meta: result.get("_meta").is_some(),
            ..Metadata::default()
        };
        let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
        let schema = tool.output_schema.as_ref().filter(|_| !failed);
        found.output_schema = schema.map(|schema| SchemaResult::of(schema, result));
        for block in result.get("content").and_then(Value::as_array).into_iter().flatten() {
            found.count(block.get("type").and_then(Value::as_str).unwrap_or("untyped"));
        }
        found
    }

    fn count(&mut self, kind: &str) {
        match kind {
            "text" => self.text_blocks += 1,
            "image" => self.images += 1,
            "audio" => self.audio += 1,
            "resource" | "resource_link" => self.resources += 1,
            _ => {}
        }
        // The server chooses this text; a report has no room for a novel.
        let kind = quote(kind);
        if !self.content_types.contains(&kind) {
            self.content_types.push(kind);
        }
    }
}

/// The texts of a result's text blocks.
pub(super) fn texts(result: &Value) -> Vec<&str> {
    let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten();
    blocks
        .filter(|b| b.get("type").and_then(Value::as_str) == Some("text"))
        .filter_map(|b| b.get("text").and_then(Value::as_str))
        .collect()
}

/// An object or array in a text block: the whole block, a fenced part, or what stands between the
/// first opening and the last closing bracket.
pub fn json_in_text(result: &Value) -> Option<Value> {
    texts(result).into_iter().find_map(json_in)
}

fn json_in(text: &str) -> Option<Value> {
    let read = |part: &str| {
        serde_json::from_str::<Value>(part.trim()).ok().filter(|v| v.is_object() || v.is_array())
    };
    let fenced = || {
        let (_, rest) = text.split_once("```")?;
        let (inside, _) = rest.split_once("```")?;
        read(inside.trim_start_matches("json"))
    };
    let bracketed = || {
        let start = text.find(['{', '['])?;
        let end = text.rfind(['}', ']'])?;
        read(text.get(start..=end)?)
    };
    read(text).or_else(fenced).or_else(bracketed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(raw: &Value) -> Tool {
        Tool::from_raw(raw).unwrap()
    }

    fn plain() -> Tool {
        tool(&json!({"name": "search", "inputSchema": {"type": "object"}}))
    }

    fn promising() -> Tool {
        tool(&json!({"name": "search", "inputSchema": {"type": "object"}, "outputSchema":
            {"type": "object", "required": ["results"], "properties": {"results": {"type": "array"}}}}))
    }

    #[test]
    fn the_example_of_three_blocks_and_structured_content_is_counted() {
        let result = json!({"isError": false, "content": [
            {"type": "text", "text": "Results..."},
            {"type": "image", "data": "base64..."},
            {"type": "resource", "uri": "resource://..."}],
            "structuredContent": {"results": []}});
        let found = Metadata::of(&result, &promising());
        assert_eq!(found.content_types, ["text", "image", "resource"]);
        assert_eq!((found.text_blocks, found.images, found.resources), (1, 1, 1));
        assert!(found.structured_content && !found.meta);
        let schema = found.output_schema.unwrap();
        assert_eq!(schema.source, StructureSource::StructuredContent);
        assert!(schema.is_valid());
    }

    #[test]
    fn a_tool_without_an_output_schema_has_no_schema_result() {
        let result = json!({"content": [{"type": "text", "text": "{}"}], "_meta": {"a": 1}});
        let found = Metadata::of(&result, &plain());
        assert!(found.output_schema.is_none() && found.meta);
    }

    #[test]
    fn json_in_the_text_stands_in_for_missing_structured_content() {
        let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        for fine in [
            "{\"results\": [1]}",
            "Found:\n```json\n{\"results\": [1]}\n```\nDone.",
            "Found {\"results\": [1]} in 3 ms",
        ] {
            let schema = Metadata::of(&text(fine), &promising()).output_schema.unwrap();
            assert_eq!((schema.source, schema.error), (StructureSource::Text, None), "{fine}");
        }
        let wrong = Metadata::of(&text("{\"results\": 3}"), &promising()).output_schema.unwrap();
        assert!(wrong.error.unwrap().starts_with("at /results: "));
        let none = Metadata::of(&text("nothing"), &promising()).output_schema.unwrap();
        assert_eq!((none.source, none.is_valid()), (StructureSource::Nowhere, false));
    }

    #[test]
    fn resource_links_count_as_resources_and_each_type_is_named_once() {
        let result = json!({"content": [
            {"type": "resource_link", "uri": "a:b", "name": "b"},
            {"type": "resource", "resource": {"uri": "a:c", "text": "c"}},
            {"type": "audio", "data": "", "mimeType": "audio/wav"},
            {"type": "text", "text": "x"}, {"type": "text", "text": "y"}]});
        let found = Metadata::of(&result, &plain());
        assert_eq!(found.content_types, ["resource_link", "resource", "audio", "text"]);
        assert_eq!((found.resources, found.audio, found.text_blocks), (2, 1, 2));
    }
}
