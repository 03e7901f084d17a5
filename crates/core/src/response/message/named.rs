//! Whether a text names a parameter.

use crate::pattern;

/// Words that stand in any error message, parameter or not.
const COMMON: &[&str] = &[
    "argument",
    "array",
    "call",
    "code",
    "data",
    "error",
    "field",
    "format",
    "input",
    "key",
    "message",
    "name",
    "number",
    "object",
    "option",
    "parameter",
    "request",
    "required",
    "string",
    "text",
    "tool",
    "type",
    "valid",
    "value",
];

/// Names that are words of every language have to stand apart: quoted, on a line of their own,
/// before a colon or a verb, or after what says that a parameter follows.
pub(super) fn is_named(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    if name.is_empty() || !text.contains(&name) {
        return false;
    }
    if name.chars().count() > 2 && !COMMON.contains(&name.as_str()) {
        return true;
    }
    let name = regex::escape(&name);
    let apart = format!(
        r#"['"`]{name}['"`\[.]|(?m:^\s*{name}(?:[.\[]\S*)?:?\s*$)|(?:^|[\s./\[]){name}:|(?m:\b(?:at|for) {name}(?:$|[\s,;:.\]]))|(?:parameters?|arguments?|fields?|propert(?:y|ies)|keys?|options?):? \(?{name}(?:$|[\s,;:.)])|(?:^|[\s(]){name} (?:is|must|should|cannot|can't|may|has|needs|required|expected)\b|[./]{name}(?:$|[\s,;:'"\]])"#
    );
    pattern::ascii(&apart).is_ok_and(|apart| apart.is_match(&text))
}
