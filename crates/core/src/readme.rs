//! A README, read by its structure: headings, code, and names that stand out from the prose.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::evidence::Evidence;

/// What the documentation checks look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readme {
    /// Lower case, in order.
    pub headings: Vec<String>,
    pub code: Vec<Code>,
    /// Texts that are set off from prose: headings, inline code, bold, links, table cells.
    pub marked: Vec<String>,
    /// All that a reader sees, as one text, without code blocks.
    pub prose: String,
}

/// A code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Lower case; empty when the fence names none.
    pub language: String,
    pub text: String,
}

impl Readme {
    /// `Err` says why there is no README to look at.
    pub fn of(evidence: &Evidence) -> Result<Readme, String> {
        match &evidence.source {
            None => Err("no source or installed package was found to read a README from (give one with --source DIR)".to_owned()),
            Some(source) => match &source.readme {
                None => Err(format!("{} has no README", source.origin)),
                Some(document) => Ok(Readme::parse(&document.text)),
            },
        }
    }

    pub fn parse(text: &str) -> Readme {
        let mut readme = Readme::default();
        let mut open = Open::default();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(tag) => open.start(&tag),
                Event::End(tag) => open.end(tag, &mut readme),
                Event::Text(t) => open.text(&t, &mut readme),
                Event::Code(t) => {
                    readme.marked.push(t.to_string());
                    open.text(&t, &mut readme);
                }
                Event::SoftBreak | Event::HardBreak => open.text(" ", &mut readme),
                Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::FootnoteReference(_)
                | Event::Rule
                | Event::TaskListMarker(_) => {}
            }
        }
        readme
    }

    /// Whether some heading contains one of these words, as the beginning of a word.
    pub fn has_heading(&self, words: &[&str]) -> bool {
        self.headings.iter().any(|h| words.iter().any(|w| begins_a_word(h, w)))
    }

    /// Whether a tool is named. A name of one plain word, such as `add`, must be set off from the
    /// prose, since prose uses such words in their own right.
    pub fn names(&self, tool: &str) -> bool {
        let plain = tool.chars().all(|c| c.is_ascii_lowercase());
        let set_off = self.marked.iter().chain(self.code.iter().map(|c| &c.text));
        set_off.into_iter().any(|t| holds_word(t, tool))
            || (!plain && holds_word(&self.prose, tool))
    }
}

/// What the parser is inside of.
#[derive(Default)]
struct Open {
    marks: Vec<String>,
    code: Option<Code>,
}

impl Open {
    #[expect(clippy::wildcard_enum_match_arm, reason = "a parser's tags, not our enum")]
    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', ',', '{']).next().unwrap_or_default().to_lowercase()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(Code { language, text: String::new() });
            }
            Tag::Heading { .. } | Tag::Strong | Tag::Link { .. } | Tag::TableCell => {
                self.marks.push(String::new());
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str, readme: &mut Readme) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        self.marks.iter_mut().for_each(|m| m.push_str(text));
        readme.prose.push_str(text);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "a parser's tags, not our enum")]
    fn end(&mut self, tag: TagEnd, readme: &mut Readme) {
        match tag {
            TagEnd::CodeBlock => readme.code.extend(self.code.take()),
            TagEnd::Heading(_) => {
                if let Some(text) = self.marks.pop() {
                    readme.headings.push(text.to_lowercase());
                    readme.marked.push(text);
                }
                readme.prose.push('\n');
            }
            TagEnd::Strong | TagEnd::Link | TagEnd::TableCell => {
                readme.marked.extend(self.marks.pop());
            }
            TagEnd::Paragraph | TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead => {
                readme.prose.push('\n');
            }
            _ => {}
        }
    }
}

fn begins_a_word(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| !text[..at].chars().next_back().is_some_and(char::is_alphanumeric))
}

fn holds_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, found)| {
            let before = text[..at].chars().next_back();
            let after = text[at + found.len()..].chars().next();
            !before.is_some_and(inside) && !after.is_some_and(inside)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_is_read_and_code_is_not_prose() {
        let readme = Readme::parse(
            "# My **Server**\n\nText with `read_file`.\n\n```json title=x\n{}\n```\n\n| Tool | Does |\n|---|---|\n| list_all | lists |\n",
        );
        assert_eq!(readme.headings, ["my server"]);
        assert_eq!(readme.code, [Code { language: "json".to_owned(), text: "{}\n".to_owned() }]);
        assert!(readme.names("read_file") && readme.names("list_all"));
        assert!(!readme.prose.contains("{}"));
    }

    #[test]
    fn a_plain_word_in_prose_names_no_tool() {
        let readme = Readme::parse("You can add two numbers. See read_file for more.\n");
        assert!(!readme.names("add"));
        assert!(readme.names("read_file"));
        assert!(!readme.names("read"));
        assert!(Readme::parse("- **add**: adds\n").names("add"));
        assert!(!Readme::parse("`address`\n").names("add"));
    }
}
