//! From Markdown events to a [`Readme`].

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::links::{self, Slugs};
use super::{Code, Item, Kind, Readme};

pub(super) fn read(markdown: &str) -> Readme {
    let mut reader = Reader::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(tag) => reader.start(&tag),
            Event::End(tag) => reader.end(tag),
            Event::Text(text) => reader.text(&text),
            Event::Code(text) => {
                reader.head(&text);
                reader.readme.marked.push(text.to_string());
                reader.text(&text);
            }
            Event::SoftBreak | Event::HardBreak => reader.text(" "),
            Event::Html(html) | Event::InlineHtml(html) => reader.html(&html),
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    readme: Readme,
    /// Texts of the open marks; a heading is one too.
    marks: Vec<String>,
    code: Option<Code>,
    /// Open entries and rows, as places in `readme.items`.
    open: Vec<usize>,
    /// Open lists, by number of group.
    lists: Vec<usize>,
    table: usize,
    /// Open headings: place in `readme.items` and level.
    headings: Vec<(usize, u8)>,
    groups: usize,
    slugs: Slugs,
}

impl Reader {
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
                let at = self.readme.text.len();
                self.code = Some(Code { language, text: String::new(), at });
            }
            Tag::Heading { level, .. } => self.heading(*level),
            Tag::List(_) => {
                // An entry with entries below it has no paragraph that would end its line.
                self.line();
                self.groups += 1;
                self.lists.push(self.groups);
            }
            Tag::Table(_) => {
                self.groups += 1;
                self.table = self.groups;
            }
            Tag::Item => self.item(Kind::Entry, self.lists.last().copied().unwrap_or_default()),
            Tag::TableRow => self.item(Kind::Row, self.table),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.readme.links.push(dest_url.to_string());
                self.marks.push(String::new());
            }
            Tag::Strong | Tag::TableCell => self.marks.push(String::new()),
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "a parser's tags, not our enum")]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => self.readme.code.extend(self.code.take()),
            TagEnd::Heading(_) => {
                if let Some(text) = self.marks.pop() {
                    self.titled(&text);
                }
                self.line();
            }
            TagEnd::Strong | TagEnd::Link | TagEnd::Image | TagEnd::TableCell => {
                if let Some(text) = self.marks.pop() {
                    self.head(&text);
                    self.readme.marked.push(text);
                }
                if tag == TagEnd::TableCell {
                    self.text(" ");
                }
            }
            TagEnd::Item | TagEnd::TableRow => {
                self.line();
                let end = self.readme.text.len();
                if let Some(place) = self.open.pop() {
                    self.readme.items[place].span.end = end;
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Paragraph | TagEnd::TableHead => self.line(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.readme.text.push_str(text);
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        self.marks.iter_mut().for_each(|m| m.push_str(text));
        self.readme.prose.push_str(text);
    }

    fn line(&mut self) {
        self.readme.text.push('\n');
        self.readme.prose.push('\n');
    }

    fn item(&mut self, kind: Kind, group: usize) {
        let at = self.readme.text.len();
        self.open.push(self.readme.items.len());
        self.readme.items.push(Item { kind, head: String::new(), group, span: at..at });
    }

    /// A heading ends those of its level and below.
    fn heading(&mut self, level: HeadingLevel) {
        let level = level as u8;
        let at = self.readme.text.len();
        let parent = self.close_headings(level, at);
        let place = self.readme.items.len();
        // Above all lists and tables, of which there can't be so many.
        let group = usize::MAX / 2 + parent * 8 + usize::from(level);
        let kind = Kind::Heading { level };
        self.readme.items.push(Item { kind, head: String::new(), group, span: at..at });
        self.headings.push((place, level));
        self.marks.push(String::new());
    }

    fn close_headings(&mut self, level: u8, at: usize) -> usize {
        while let Some((place, open)) = self.headings.last().copied() {
            if open < level {
                return place + 1;
            }
            self.readme.items[place].span.end = at;
            self.headings.pop();
        }
        0
    }

    fn titled(&mut self, text: &str) {
        if let Some((place, _)) = self.headings.last() {
            self.readme.items[*place].head = bare(text).to_owned();
        }
        let slug = self.slugs.of(text);
        self.readme.anchors.insert(slug);
        self.readme.headings.push(text.to_lowercase());
        self.readme.marked.push(text.to_owned());
    }

    /// The name of an item is the first thing set off in it, if no word stands before it.
    fn head(&mut self, text: &str) {
        let Some(item) = self.open.last().map(|place| &mut self.readme.items[*place]) else {
            return;
        };
        let said = self.readme.text.get(item.span.start..).unwrap_or_default();
        let before = said.strip_suffix(text).unwrap_or(said);
        let numbering = |c: char| !c.is_alphabetic();
        if item.head.is_empty() && before.chars().all(numbering) {
            item.head = bare(text).to_owned();
        }
    }

    /// Readers see headings, anchors, links and texts that are written as HTML, too.
    fn html(&mut self, html: &str) {
        for (tag, rest) in links::tags(html) {
            self.readme.links.extend(links::attribute(tag, "href"));
            self.readme.links.extend(links::attribute(tag, "src"));
            let named = ["id", "name"].iter().filter_map(|a| links::attribute(tag, a));
            self.readme.anchors.extend(named.map(|n| n.to_lowercase()));
            let title = rest.split('<').next().unwrap_or_default();
            if links::is_heading(tag) && !title.trim().is_empty() {
                let slug = self.slugs.of(title.trim());
                self.readme.anchors.insert(slug);
                self.readme.headings.push(title.trim().to_lowercase());
            }
            self.text(title);
        }
    }

    fn finish(mut self) -> Readme {
        let end = self.readme.text.len();
        self.close_headings(0, end);
        self.readme
    }
}

/// A name without what people put around it: `name(args)`, `name:`.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_matches(['`', '*', ':', '"']);
    let call = text.find('(').filter(|at| text[..*at].chars().all(|c| !c.is_whitespace()));
    call.map_or(text, |at| &text[..at]).trim_end_matches(':')
}
