//! A drawing as data. Whoever shows it chooses colours and medium.

use std::fmt::Write;

use crate::render::text::clean;

/// What is drawn, back to front.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub width: f64,
    pub height: f64,
    /// Stands for the picture where it can't be seen.
    pub title: String,
    pub shapes: Vec<Shape>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Polygon { corners: Vec<(f64, f64)>, ink: Ink, fill: f64, stroke: f64 },
    Line { from: (f64, f64), to: (f64, f64), ink: Ink, dashed: bool },
    Circle { at: (f64, f64), radius: f64, ink: Ink },
    Bar { at: (f64, f64), size: (f64, f64), ink: Ink },
    Text { at: (f64, f64), anchor: Anchor, size: f64, bold: bool, ink: Ink, words: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Paper,
    Text,
    Faint,
    Grid,
    Series(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Where colours come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// On white, for a file of its own.
    Fixed,
    /// The page's, which knows light and dark.
    Page,
}

/// Told apart by people who see colours differently (Okabe and Ito).
const SERIES: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b"];

impl Ink {
    pub fn hex(self) -> &'static str {
        match self {
            Ink::Paper => "#ffffff",
            Ink::Text => "#222222",
            Ink::Faint => "#666666",
            Ink::Grid => "#d0d0d0",
            Ink::Series(n) => SERIES.get(n % SERIES.len()).copied().unwrap_or("#000000"),
        }
    }

    fn of(self, colors: Colors) -> &'static str {
        match (colors, self) {
            (Colors::Fixed, ink) => ink.hex(),
            (Colors::Page, Ink::Paper) => "var(--card)",
            (Colors::Page, Ink::Text) => "var(--ink)",
            (Colors::Page, Ink::Faint) => "var(--soft)",
            (Colors::Page, Ink::Grid) => "var(--line)",
            (Colors::Page, Ink::Series(_)) => "var(--accent)",
        }
    }
}

impl Scene {
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, words: impl Into<String>) {
        let (size, bold, ink, words) = (13.0, false, Ink::Text, words.into());
        self.shapes.push(Shape::Text { at, anchor, size, bold, ink, words });
    }

    pub fn svg(&self, colors: Colors) -> String {
        let (width, height) = (self.width, self.height);
        let place = match colors {
            Colors::Fixed => format!(
                "xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" "
            ),
            Colors::Page => "class=\"chart\" ".to_owned(),
        };
        let title = escaped(&self.title);
        let mut out = format!(
            "<svg {place}viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
             font-family=\"system-ui, sans-serif\">\n"
        );
        if colors == Colors::Fixed {
            let _ = writeln!(out, "<title>{title}</title>");
            let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        }
        self.shapes.iter().for_each(|shape| shape.svg(&mut out, colors));
        out.push_str("</svg>\n");
        out
    }
}

impl Shape {
    fn svg(&self, out: &mut String, colors: Colors) {
        let _ = match self {
            Shape::Polygon { corners, ink, fill, stroke } => {
                let corners: Vec<String> =
                    corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let (corners, color) = (corners.join(" "), ink.of(colors));
                writeln!(
                    out,
                    "<polygon points=\"{corners}\" fill=\"{color}\" fill-opacity=\"{fill}\" \
                     stroke=\"{color}\" stroke-width=\"{stroke}\" stroke-linejoin=\"round\"/>"
                )
            }
            Shape::Line { from, to, ink, dashed } => {
                let dash = if *dashed { " stroke-dasharray=\"3 4\"" } else { "" };
                writeln!(
                    out,
                    "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\"{dash}/>",
                    from.0,
                    from.1,
                    to.0,
                    to.1,
                    ink.of(colors)
                )
            }
            Shape::Circle { at: (x, y), radius, ink } => {
                let color = ink.of(colors);
                writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{color}\"/>"
                )
            }
            Shape::Bar { at: (x, y), size: (width, height), ink } => writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" fill=\"{}\"/>",
                ink.of(colors)
            ),
            Shape::Text { at: (x, y), anchor, size, bold, ink, words } => {
                let weight = if *bold { " font-weight=\"600\"" } else { "" };
                writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{}\" font-size=\"{size}\"{weight} fill=\"{}\">{}</text>",
                    anchor.name(),
                    ink.of(colors),
                    escaped(words)
                )
            }
        };
    }
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// Text of unknown origin: no mark-up, nothing invisible.
pub(in crate::render) fn escaped(text: &str) -> String {
    let clean = clean(text);
    clean.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
