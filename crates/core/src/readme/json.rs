//! JSON as people write it in examples: comments, trailing commas, dots for what is left out, the
//! inside of an object, several values in a row.

use serde_json::{Deserializer, Value};

/// The values of a text; `None` when it does not parse even so.
pub fn loose_json(text: &str) -> Option<Vec<Value>> {
    let tidy = tidied(text);
    if tidy.trim().is_empty() {
        return None;
    }
    let values = |text: &str| {
        Deserializer::from_str(text).into_iter::<Value>().collect::<Result<Vec<Value>, _>>().ok()
    };
    let inside = || format!("{{{}}}", tidy.trim().trim_end_matches(','));
    values(&tidy).filter(|v| !v.iter().all(Value::is_string)).or_else(|| values(&inside()))
}

/// Without comments, dots and commas before a closing bracket.
fn tidied(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = if c == '"' {
            let end = string_end(rest);
            tidy.push_str(&rest[..end]);
            end
        } else if rest.starts_with("//") || c == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if rest.starts_with("...") {
            drop_comma(&mut tidy);
            3
        } else if c == '…' {
            drop_comma(&mut tidy);
            c.len_utf8()
        } else {
            if matches!(c, '}' | ']') {
                drop_comma(&mut tidy);
            }
            tidy.push(c);
            c.len_utf8()
        };
        rest = &rest[skip..];
    }
    tidy
}

fn drop_comma(text: &mut String) {
    let kept = text.trim_end().len();
    if text[..kept].ends_with(',') {
        text.truncate(kept - 1);
    }
}

/// Where the string that begins here ends.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_people_write_is_read() {
        let one = |text: &str| loose_json(text).unwrap().remove(0);
        assert_eq!(one("{\"a\": 1, // why\n \"b\": [1, 2, ...],}"), json!({"a": 1, "b": [1, 2]}));
        assert_eq!(one("\"x\": {\"command\": \"y\"},"), json!({"x": {"command": "y"}}));
        assert_eq!(one("{\"url\": \"http://x/*\"}"), json!({"url": "http://x/*"}));
        assert_eq!(loose_json("{\"a\": 1}\n{\"b\": 2}").unwrap().len(), 2);
    }

    #[test]
    fn what_is_broken_stays_broken() {
        for text in ["{\"a\": 1 \"b\": 2}", "{\"a\": }", "{", "\"", "", "{\"a\": \"x"] {
            assert_eq!(loose_json(text), None, "{text}");
        }
    }
}
