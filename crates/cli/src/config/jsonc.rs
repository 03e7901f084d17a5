//! JSON with comments and trailing commas. Both are blanked out in place, so positions in error
//! messages stay those of the file.

use serde_json::Value;

pub(super) fn parse(text: &str) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(&blank(text)).map_err(|e| format!("not JSON: {e}"))
}

fn blank(text: &str) -> String {
    let mut out: Vec<char> = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    // Where a comma stands that nothing but blanks and comments has followed so far.
    let mut comma: Option<usize> = None;
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => {
                comma = None;
                out.push(c);
                copy_string(&mut chars, &mut out);
            }
            ('/', Some('/')) => {
                out.push(' ');
                while let Some(c) = chars.next_if(|c| *c != '\n') {
                    out.push(if c == '\r' { '\r' } else { ' ' });
                }
            }
            ('/', Some('*')) => {
                out.push(' ');
                blank_block(&mut chars, &mut out);
            }
            _ => {
                if let ('}' | ']', Some(at)) = (c, comma) {
                    out[at] = ' ';
                }
                if !c.is_whitespace() {
                    comma = (c == ',').then_some(out.len());
                }
                out.push(c);
            }
        }
    }
    out.into_iter().collect()
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn copy_string(chars: &mut Chars<'_>, out: &mut Vec<char>) {
    while let Some(c) = chars.next() {
        out.push(c);
        match c {
            '"' => return,
            '\\' => out.extend(chars.next()),
            _ => {}
        }
    }
}

fn blank_block(chars: &mut Chars<'_>, out: &mut Vec<char>) {
    out.extend(chars.next().map(|_| ' '));
    let mut star = false;
    for c in chars.by_ref() {
        out.push(if c == '\n' { '\n' } else { ' ' });
        if star && c == '/' {
            return;
        }
        star = c == '*';
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn comments_and_trailing_commas_are_overlooked() {
        let text = r#"{
            // a line, with "quotes"
            "a": [1, 2, /* both */ ], /* and
            lines */ "url": "http://x//y", "s": "/* kept */ , }",
        }"#;
        let value = parse(text).unwrap();
        assert_eq!(value, json!({"a": [1, 2], "url": "http://x//y", "s": "/* kept */ , }"}));
    }

    #[test]
    fn escaped_quotes_do_not_end_a_string() {
        assert_eq!(parse(r#"{"a": "\\\" // no comment"}"#).unwrap()["a"], r#"\" // no comment"#);
    }

    #[test]
    fn errors_keep_the_position_of_the_file() {
        let error = parse("{\n  // first\n  \"a\": /* x */ oops\n}").unwrap_err();
        assert!(error.contains("line 3"), "{error}");
        assert!(parse("{\"a\": 1,, }").is_err());
        assert!(parse("{ /* never closed").is_err());
    }
}
