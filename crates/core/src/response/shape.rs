//! The format of a text, as far as it can be told by looking.

use serde_json::Value;

use super::{data, json_in_text};
use crate::evidence::Reply;

/// A format that a caller may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Json,
    Markup,
    Table { comma: char },
    Yaml,
    Markdown,
}

impl Shape {
    /// By the name of a choice or a media type; `None` for what looking does not tell.
    pub fn named(choice: &str) -> Option<Shape> {
        let choice = choice.to_lowercase();
        let kind = choice.rsplit('/').next().unwrap_or_default().trim_start_matches("x-");
        match kind {
            "json" => Some(Shape::Json),
            "xml" | "html" | "svg" | "svg+xml" | "rss" | "atom" => Some(Shape::Markup),
            "csv" => Some(Shape::Table { comma: ',' }),
            "tsv" | "tab-separated-values" => Some(Shape::Table { comma: '\t' }),
            "yaml" | "yml" => Some(Shape::Yaml),
            "markdown" | "md" => Some(Shape::Markdown),
            _ => None,
        }
    }

    /// Whether the answer, or a text in its data, comes in this format; `None` if open.
    pub fn fits_reply(self, reply: &Reply) -> Option<bool> {
        let within = self == Shape::Json && reply.result().and_then(json_in_text).is_some();
        let mut told = vec![self.fits(&reply.text()), within.then_some(true)];
        if let Some(Value::Object(fields)) = data(reply) {
            told.extend(fields.values().filter_map(Value::as_str).map(|text| self.fits(text)));
        }
        [Some(true), Some(false)].into_iter().find(|answer| told.contains(answer)).flatten()
    }

    fn fits(self, text: &str) -> Option<bool> {
        let text = unfenced(text.trim());
        let json = serde_json::from_str::<Value>(text).is_ok_and(|v| v.is_object() || v.is_array());
        let markup = text.starts_with('<') && text.ends_with('>');
        match self {
            Shape::Json => Some(json),
            Shape::Markup => Some(markup),
            Shape::Table { .. } | Shape::Markdown if json || markup => Some(false),
            Shape::Yaml if markup => Some(false),
            Shape::Table { comma } => has_columns(text, comma).then_some(true),
            // All JSON is YAML, so JSON says nothing.
            Shape::Yaml => (!json && opens_as_yaml(text)).then_some(true),
            Shape::Markdown => (!text.is_empty()).then_some(true),
        }
    }
}

/// What stands in a code fence, if all does.
fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.and_then(|rest| rest.split_once('\n')).map_or(text, |(_, body)| body.trim())
}

/// Two lines or more, with as many separators in each.
fn has_columns(text: &str, comma: char) -> bool {
    let mut counts = text.lines().map(|line| {
        let outside = line.split('"').step_by(2);
        outside.map(|part| part.matches(comma).count()).sum::<usize>()
    });
    let first = counts.next().unwrap_or(0);
    let mut rest = counts.peekable();
    first > 0 && rest.peek().is_some() && rest.all(|count| count == first)
}

fn opens_as_yaml(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let key = first.split_once(':').is_some_and(|(key, rest)| {
        !key.contains(' ') && (rest.is_empty() || rest.starts_with(' '))
    });
    first == "---" || first.starts_with("- ") || key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_looking_and_left_open_where_that_does_not_do() {
        let csv = Shape::Table { comma: ',' };
        for (shape, text, told) in [
            (Shape::Json, "[1, 2]", Some(true)),
            (Shape::Json, "```json\n{\"a\": 1}\n```", Some(true)),
            (Shape::Json, "two notes", Some(false)),
            (Shape::Markup, "<a><b/></a>", Some(true)),
            (Shape::Markup, "{\"a\": 1}", Some(false)),
            (csv, "id,title\n1,\"Owl, heard\"\n2,Weir", Some(true)),
            (csv, "{\"id\": 1, \"title\": \"Owl\"}", Some(false)),
            (csv, "nothing found", None),
            (Shape::Yaml, "notes:\n  - Owl", Some(true)),
            (Shape::Yaml, "{\"a\": 1}", None),
            (Shape::Markdown, "# Notes", Some(true)),
            (Shape::Markdown, "[{\"a\": 1}]", Some(false)),
        ] {
            assert_eq!(shape.fits(text), told, "{shape:?} {text}");
        }
    }

    #[test]
    fn choices_and_media_types_name_a_format() {
        assert_eq!(Shape::named("JSON"), Some(Shape::Json));
        assert_eq!(Shape::named("text/csv"), Some(Shape::Table { comma: ',' }));
        assert_eq!(Shape::named("detailed"), None);
    }
}
