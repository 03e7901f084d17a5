//! The sheet the report is drawn on: painted words, wrapped by display width.

use super::Style;
use crate::check::Severity;
use crate::render::text;

/// What a piece of text is, not how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Strong,
    Faint,
    Good,
    Fair,
    Bad,
    Name,
}

impl Paint {
    fn code(self) -> &'static str {
        match self {
            Paint::Plain => "",
            Paint::Strong => "1",
            Paint::Faint => "2",
            Paint::Good => "1;32",
            Paint::Fair => "1;33",
            Paint::Bad => "1;31",
            Paint::Name => "36",
        }
    }

    /// Bands differ between rubrics; the colour only says roughly how good.
    pub(super) fn of_score(score: Option<f64>) -> Paint {
        match score {
            None => Paint::Faint,
            Some(s) if s >= 75.0 => Paint::Good,
            Some(s) if s >= 50.0 => Paint::Fair,
            Some(_) => Paint::Bad,
        }
    }

    /// The level where its name is plain, else the score: a good score can be held back.
    pub(super) fn of_level(level: &str, score: Option<f64>) -> Paint {
        match level {
            "PASS" => Paint::Good,
            "WARN" | "WARNING" | "REVIEW" => Paint::Fair,
            "FAIL" => Paint::Bad,
            _ => Paint::of_score(score),
        }
    }

    pub(super) fn of_severity(severity: Severity) -> Paint {
        match severity {
            Severity::Critical | Severity::High => Paint::Bad,
            Severity::Medium => Paint::Fair,
            Severity::Low => Paint::Name,
            Severity::Info => Paint::Faint,
        }
    }
}

/// A piece of text with its paint; several make a line.
pub(super) type Span = (Paint, String);

pub(super) fn plain(text: impl Into<String>) -> Span {
    (Paint::Plain, text.into())
}

pub(super) fn faint(text: impl Into<String>) -> Span {
    (Paint::Faint, text.into())
}

pub(super) fn strong(text: impl Into<String>) -> Span {
    (Paint::Strong, text.into())
}

pub(super) fn name(text: impl Into<String>) -> Span {
    (Paint::Name, text.into())
}

/// Text that never breaks: its spaces are as hard as its letters.
const HARD_SPACE: char = '\u{a0}';

/// Keeps the spaces of a column layout through wrapping.
pub(super) fn hard(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) style: Style,
    out: String,
}

impl Sheet {
    pub(super) fn new(style: Style) -> Sheet {
        Sheet { style, out: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn columns(&self) -> usize {
        self.style.columns()
    }

    pub(super) fn blank(&mut self) {
        self.out.push('\n');
    }

    /// A heading with a blank line above it.
    pub(super) fn heading(&mut self, title: &str, rest: &str) {
        self.blank();
        let mut spans = vec![strong(title)];
        if !rest.is_empty() {
            spans.push(plain(format!("  {rest}")));
        }
        self.flow(0, 2, &spans);
    }

    /// Spans as one paragraph: the first line starts at `first`, the others hang at `hang`.
    pub(super) fn flow(&mut self, first: usize, hang: usize, spans: &[Span]) {
        let words = self.words(spans);
        let limit = self.columns();
        let mut line: Vec<Span> = vec![plain(" ".repeat(first))];
        let mut used = first;
        let mut empty = true;
        for word in words {
            let wide = word.columns();
            if !empty && used + word.gap + wide > limit {
                self.emit(&line);
                line = vec![plain(" ".repeat(hang))];
                used = hang;
                empty = true;
            }
            if !empty {
                line.push(plain(" ".repeat(word.gap)));
                used += word.gap;
            }
            for (paint, text) in word.cut(limit.saturating_sub(used).max(8), limit - hang) {
                match text {
                    Some(text) => {
                        used += text::width(&text);
                        line.push((paint, text));
                    }
                    None => {
                        self.emit(&line);
                        line = vec![plain(" ".repeat(hang))];
                        used = hang;
                    }
                }
            }
            empty = false;
        }
        self.emit(&line);
    }

    /// At most `lines` lines of a long text, told as cut.
    pub(super) fn shortened(&self, text: &str, indent: usize, lines: usize) -> String {
        let clean = self.clean(text);
        text::clip(&clean, (self.columns() - indent) * lines, self.ellipsis())
    }

    pub(super) fn ellipsis(&self) -> &'static str {
        if self.style.unicode { "…" } else { "..." }
    }

    /// A bar of `cells` cells, filled to `share` of 100.
    pub(super) fn bar(&self, share: Option<f64>, cells: usize) -> String {
        let (full, rest) = if self.style.unicode { ("█", "░") } else { ("#", ".") };
        let filled = share.map_or(0, |s| ((s / 100.0 * cells as f64).round() as usize).min(cells));
        format!("{}{}", full.repeat(filled), rest.repeat(cells - filled))
    }

    pub(super) fn clean(&self, text: &str) -> String {
        if self.style.unicode { text::clean(text) } else { text::ascii(text) }
    }

    fn words(&self, spans: &[Span]) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut gap = 0;
        let mut open = false;
        for (paint, text) in spans {
            // Hard spaces are ours, so they pass the cleaning by and become spaces when drawn.
            let mut pieces = text.split(HARD_SPACE).map(|p| self.clean(p));
            let mut clean = pieces.next().unwrap_or_default();
            for piece in pieces {
                clean.push(HARD_SPACE);
                clean.push_str(&piece);
            }
            for (n, piece) in clean.split(' ').enumerate() {
                if n > 0 {
                    gap += 1;
                    open = false;
                }
                if piece.is_empty() {
                    continue;
                }
                let part = (*paint, piece.replace(HARD_SPACE, " "));
                match words.last_mut() {
                    Some(word) if open => word.parts.push(part),
                    _ => words.push(Word { gap, parts: vec![part] }),
                }
                gap = 0;
                open = true;
            }
        }
        words
    }

    fn emit(&mut self, line: &[Span]) {
        let end = line.iter().rposition(|(_, t)| !t.trim_end().is_empty()).map_or(0, |i| i + 1);
        for (paint, text) in joined(&line[..end]) {
            if self.style.color && paint != Paint::Plain {
                self.out.push_str(&format!("\x1b[{}m{text}\x1b[0m", paint.code()));
            } else {
                self.out.push_str(&text);
            }
        }
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
    }
}

/// Neighbours of one paint become one piece, blanks between them included.
fn joined(line: &[Span]) -> Vec<Span> {
    let mut pieces: Vec<Span> = Vec::new();
    for (n, (paint, text)) in line.iter().enumerate() {
        let blank = text.trim().is_empty();
        let next = line.get(n + 1).map(|(p, _)| *p);
        match pieces.last_mut() {
            Some((last, so_far)) if *last == *paint || (blank && Some(*last) == next) => {
                so_far.push_str(text);
            }
            Some(_) | None => pieces.push((*paint, text.clone())),
        }
    }
    pieces
}

/// What stays together on a line, in one or more paints.
struct Word {
    /// Spaces before it.
    gap: usize,
    parts: Vec<Span>,
}

impl Word {
    fn columns(&self) -> usize {
        self.parts.iter().map(|(_, t)| text::width(t)).sum()
    }

    /// The pieces to draw; `None` is a line break inside a word longer than a line.
    fn cut(self, first: usize, next: usize) -> Vec<(Paint, Option<String>)> {
        let mut pieces = Vec::new();
        let mut room = first;
        for (paint, mut rest) in self.parts {
            while text::width(&rest) > room {
                let (head, tail) = text::split_at_width(&rest, room);
                if !head.is_empty() {
                    pieces.push((paint, Some(head)));
                }
                pieces.push((paint, None));
                room = next.max(2);
                rest = tail;
            }
            room -= text::width(&rest);
            pieces.push((paint, Some(rest)));
        }
        pieces
    }
}
