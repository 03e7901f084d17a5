//! The page of a check for the terminal: Markdown with headings bold and code set off.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::Style;
use super::sheet::{Paint, Sheet, Span, faint, hard, name, plain};
use crate::check::Check;
use crate::render::text::{pad, width};

/// Draws the page of a check; the cases that test it only when asked for.
pub fn page(check: &Check, style: &Style, cases: bool) -> String {
    let mut sheet = Sheet::new(*style);
    let mut facts = format!(" · {} · {}", check.severity, check.facet);
    if let Some(class) = check.class {
        facts.push_str(&format!(" · {class}"));
    }
    let serves: Vec<&str> = check.requirements.iter().map(|r| r.requirement).collect();
    if !serves.is_empty() {
        facts.push_str(&format!(" · serves {}", serves.join(", ")));
    }
    sheet.flow(0, 2, &[name(check.id), faint(facts)]);
    let end = check.page.find("\n## Cases").filter(|_| !cases).unwrap_or(check.page.len());
    let mut prose = Prose { sheet, spans: Vec::new(), paint: Paint::Plain, place: Place::Body };
    let text = &check.page[..end];
    let mut table = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        prose.take(event, &mut table);
    }
    prose.sheet.finish()
}

enum Place {
    Body,
    /// The number of the next item; `None` for bullets.
    List(Option<u64>),
    Code,
}

struct Prose {
    sheet: Sheet,
    spans: Vec<Span>,
    paint: Paint,
    place: Place,
}

impl Prose {
    #[expect(clippy::wildcard_enum_match_arm, reason = "a parser's events, not our enum")]
    fn take(&mut self, event: Event<'_>, table: &mut Vec<Vec<String>>) {
        match event {
            Event::Start(tag) => self.start(tag, table),
            Event::End(tag) => self.end(tag, table),
            Event::Text(text) if matches!(self.place, Place::Code) => {
                for line in text.lines() {
                    self.sheet.flow(4, 6, &[faint(hard(line))]);
                }
            }
            Event::Text(text) => match table.last_mut().and_then(|row| row.last_mut()) {
                Some(cell) => cell.push_str(&text),
                None => self.spans.push((self.paint, text.to_string())),
            },
            Event::Code(code) => match table.last_mut().and_then(|row| row.last_mut()) {
                Some(cell) => cell.push_str(&code),
                None => self.spans.push((Paint::Name, code.to_string())),
            },
            Event::SoftBreak | Event::HardBreak => self.spans.push(plain(" ")),
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "a parser's tags, not our enum")]
    fn start(&mut self, tag: Tag<'_>, table: &mut Vec<Vec<String>>) {
        match tag {
            Tag::Heading { .. } => self.paint = Paint::Strong,
            Tag::Strong | Tag::Emphasis => self.paint = Paint::Strong,
            Tag::List(first) => {
                self.flush(0);
                self.sheet.blank();
                self.place = Place::List(first);
            }
            Tag::CodeBlock(kind) => {
                self.flush(0);
                self.sheet.blank();
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.is_empty()
                {
                    self.sheet.flow(2, 4, &[faint(format!("{language}:"))]);
                }
                self.place = Place::Code;
            }
            Tag::TableHead | Tag::TableRow => table.push(Vec::new()),
            Tag::TableCell => {
                if let Some(row) = table.last_mut() {
                    row.push(String::new());
                }
            }
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "a parser's tags, not our enum")]
    fn end(&mut self, tag: TagEnd, table: &mut Vec<Vec<String>>) {
        match tag {
            TagEnd::Heading(_) => {
                self.sheet.blank();
                self.flush(0);
                self.paint = Paint::Plain;
            }
            TagEnd::Strong | TagEnd::Emphasis => self.paint = Paint::Plain,
            TagEnd::Paragraph => {
                if matches!(self.place, Place::Body) {
                    self.flush(2);
                } else {
                    self.spans.push(plain(" "));
                }
            }
            TagEnd::Item => self.item(),
            TagEnd::List(_) | TagEnd::CodeBlock => self.place = Place::Body,
            TagEnd::Table => self.table(&std::mem::take(table)),
            _ => {}
        }
    }

    fn item(&mut self) {
        let mark = match &mut self.place {
            Place::List(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            Place::List(None) | Place::Body | Place::Code => "- ".to_owned(),
        };
        let hang = 2 + mark.len();
        self.spans.insert(0, faint(mark));
        self.flush(hang);
    }

    fn flush(&mut self, hang: usize) {
        let spans = std::mem::take(&mut self.spans);
        if !spans.is_empty() {
            self.sheet.flow(hang.min(2), hang, &spans);
        }
    }

    /// Columns side by side where they fit; else each row as a paragraph.
    fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns.saturating_sub(1))
            .map(|n| rows.iter().filter_map(|r| r.get(n)).map(|c| width(c)).max().unwrap_or(0) + 2)
            .collect();
        let hang = 2 + widths.iter().sum::<usize>();
        let fits = hang <= self.sheet.columns() / 2;
        self.sheet.blank();
        for (n, row) in rows.iter().enumerate() {
            let paint = if n == 0 { Paint::Strong } else { Paint::Plain };
            if fits {
                let cells = row.iter().enumerate().map(|(at, cell)| {
                    (paint, widths.get(at).map_or(cell.clone(), |w| hard(&pad(cell, *w))))
                });
                let spans: Vec<Span> = cells.collect();
                self.sheet.flow(2, hang, &spans);
            } else {
                let spans = [faint("- "), (paint, row.join(": "))];
                self.sheet.flow(2, 4, &spans);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Class, Facet, Revisions, Severity};

    const CHECK: Check = Check {
        id: "errors/example",
        title: "An example is set in type",
        facet: Facet::ErrorQuality,
        severity: Severity::Medium,
        class: Some(Class::Dos),
        requirements: &[crate::spec::served("TOOL-20")],
        revisions: Revisions::All,
        needs: &[],
        page: "# An example is set in type\n\n## Why it matters\n\nBecause *emphasis* and `code` \
               must both be told apart from the words around them, even where lines are long.\n\n\
               ## How to fix\n\n1. First this.\n2. Then that, which takes more than one line to \
               say and so has to hang below itself.\n\n- a bullet\n\n```rust\nfn main() {\n    \
               run();\n}\n```\n\n| answer | grade |\n|---|---|\n| yes | pass |\n| no | fail |\n\n\
               ## Cases\n\n### Never shown\n\n```json\n{}\n```\n",
        judge: |_| Vec::new(),
    };

    #[test]
    fn a_page_is_set_in_type_without_its_cases() {
        let text = page(&CHECK, &Style { width: 60, ..Style::PLAIN }, false);
        assert!(text.lines().all(|l| width(l) <= 60), "{text}");
        insta::assert_snapshot!("page", text);
    }

    #[test]
    fn the_cases_are_shown_on_demand() {
        assert!(page(&CHECK, &Style::PLAIN, true).contains("Never shown"));
    }
}
