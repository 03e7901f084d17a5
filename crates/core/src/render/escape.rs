//! Text of unknown origin, made to stay text in each language that a report is written in.

use std::fmt::Write;

use super::text::clean;
use crate::percent::{AsciiSet, PART, encoded};

/// In a paragraph, list item or table cell of Markdown. Nothing starts mark-up, links itself, or
/// calls somebody by name.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let clean = clean(text);
    let mut before = ' ';
    for (at, c) in clean.char_indices() {
        let rest = &clean[at + c.len_utf8()..];
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Forges look for these in the text that is left, so only a gap helps.
            '@' | '#' => {
                let _ = write!(out, "{c}&#8203;");
            }
            ':' if rest.starts_with("//") => out.push_str(":&#8203;"),
            '.' if before == 'w' || before == 'W' => out.push_str("&#8203;."),
            // Inside a word it is a letter.
            '_' if before.is_alphanumeric() && rest.starts_with(char::is_alphanumeric) => {
                out.push('_');
            }
            c if "\\`*_{}[]()!|~$".contains(c) => {
                out.push('\\');
                out.push(c);
            }
            // Only at the start could these begin a list or an underline.
            '+' | '-' | '=' if at == 0 => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// A sentence of ours in Markdown, outside tables: what stands between backticks becomes code, and
/// nothing else becomes anything, whoever wrote the backticks.
pub fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let last = parts.len() - 1;
    let between = |n: usize| n > 0 && n < last;
    let paired = last.is_multiple_of(2);
    if !paired || parts.iter().enumerate().any(|(n, part)| between(n) && part.trim().is_empty()) {
        return markdown(text);
    }
    let drawn = |(n, part): (usize, &&str)| match n % 2 {
        1 => code(part),
        _ => markdown(part),
    };
    parts.iter().enumerate().map(drawn).collect()
}

/// As code in Markdown, outside tables.
pub fn code(text: &str) -> String {
    let clean = clean(text);
    let longest = clean.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let gap = if clean.starts_with('`') || clean.ends_with('`') { " " } else { "" };
    match clean.trim() {
        "" => "–".to_owned(),
        _ => format!("{fence}{gap}{clean}{gap}{fence}"),
    }
}

/// As text or attribute of HTML, SVG and XML.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not characters by the rules of XML.
            '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

/// One field of CSV. What begins like a formula would be run as one by a spreadsheet.
pub fn csv(text: &str) -> String {
    let text = clean(text);
    let formula = text.trim_start().starts_with(['=', '+', '-', '@', '|', '%']);
    format!("\"{}{}\"", if formula { "'" } else { "" }, text.replace('"', "\"\""))
}

/// A path as a relative reference of a URI.
pub fn uri(path: &str) -> String {
    const PATH: &AsciiSet = &PART.remove(b'/');
    encoded(path, PATH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// What a reader of the Markdown sees, and what is mark-up in it.
    fn read(markdown: &str) -> (String, Vec<String>) {
        let (mut text, mut markup) = (String::new(), Vec::new());
        for event in Parser::new_ext(markdown, Options::all()) {
            if let Event::Text(t) | Event::Code(t) = &event {
                text.push_str(t);
            } else if !matches!(event, Event::Start(Tag::Paragraph) | Event::End(_)) {
                markup.push(format!("{event:?}"));
            }
        }
        (text.replace('\u{200b}', ""), markup)
    }

    #[test]
    fn markdown_shows_every_hostile_text_as_it_is() {
        for hostile in [
            "<img src=x onerror=alert(1)>",
            "[click](javascript:alert(1)) ![x](http://evil.example/p.png)",
            "**bold** __bold__ ~~gone~~ `code` $$x$$",
            "@everyone see #1 at https://evil.example or www.evil.example",
            "| a | b |",
            "- item",
            "&lt;b&gt; &amp; \\* C:\\temp",
            "snake_case_name stays readable",
        ] {
            let (text, markup) = read(&markdown(hostile));
            assert_eq!(markup, Vec::<String>::new(), "{hostile}");
            assert_eq!(text, hostile);
        }
        assert_eq!(markdown("read_file"), "read_file");
    }

    #[test]
    fn prose_has_code_between_backticks_and_nothing_else() {
        assert_eq!(prose("call `read_file` first"), "call `read_file` first");
        for hostile in [
            "`a` <b> `c`",
            "`<script>` and *x* `[a](b)`",
            "an odd ` one <b>",
            "`` two `` <b>",
            "`a``b` <b> ` `",
            "@all `@all` #1",
            "- `x`",
        ] {
            let (text, markup) = read(&prose(hostile));
            assert_eq!(markup, Vec::<String>::new(), "{hostile}");
            assert_eq!(text.replace('`', ""), hostile.replace('`', ""));
        }
    }

    #[test]
    fn code_can_not_be_left_by_backticks() {
        for hostile in ["a`b", "``", "`<b>`", "x\ny"] {
            let (text, markup) = read(&code(hostile));
            assert_eq!(markup, Vec::<String>::new(), "{hostile}");
            assert_eq!(text, super::clean(hostile));
        }
    }

    #[test]
    fn formulas_are_fields() {
        assert_eq!(csv("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(csv(" @SUM(A1)"), "\"' @SUM(A1)\"");
        assert_eq!(csv("plain\r\n=1"), "\"plain\\r\\n=1\"");
    }

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("src/my tool%.py"), "src/my%20tool%25.py");
    }
}
