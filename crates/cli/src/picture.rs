//! Charts as PNG. Letters are drawn from a font inside the binary, so that the same report gives
//! the same picture on every machine.

use anyhow::{Context, Result};
use proofmark_core::render::chart::{Anchor, Ink, Scene, Shape};
use proofmark_core::render::text::clean;
use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path as Outline, PathBuilder, Pixmap, Rect, Stroke,
    StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

const REGULAR: &[u8] = include_bytes!("../assets/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../assets/DejaVuSans-Bold.ttf");
/// Pixels for each unit of the drawing.
const SCALE: f32 = 2.0;

pub(crate) fn png(scene: &Scene) -> Result<Vec<u8>> {
    let size = |length: f64| (length as f32 * SCALE).ceil() as u32;
    let mut map = Pixmap::new(size(scene.width), size(scene.height))
        .context("the chart has no size; this is a bug in proofmark, please report it")?;
    map.fill(Color::WHITE);
    for shape in &scene.shapes {
        draw(&mut map, shape)?;
    }
    Ok(map.encode_png()?)
}

fn draw(map: &mut Pixmap, shape: &Shape) -> Result<()> {
    match shape {
        Shape::Polygon { corners, ink, fill, stroke } => {
            let Some(path) = polygon(corners) else { return Ok(()) };
            filled(map, &path, &paint(*ink, *fill));
            if *stroke > 0.0 {
                lined(map, &path, *ink, *stroke, None);
            }
        }
        Shape::Line { from, to, ink, dashed } => {
            let mut builder = PathBuilder::new();
            builder.move_to(from.0 as f32, from.1 as f32);
            builder.line_to(to.0 as f32, to.1 as f32);
            let Some(path) = builder.finish() else { return Ok(()) };
            let dash = dashed.then(|| StrokeDash::new(vec![3.0, 4.0], 0.0)).flatten();
            lined(map, &path, *ink, 1.0, dash);
        }
        Shape::Circle { at: (x, y), radius, ink } => {
            let path = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
            path.iter().for_each(|p| filled(map, p, &paint(*ink, 1.0)));
        }
        Shape::Bar { at: (x, y), size: (width, height), ink } => {
            let rect = Rect::from_xywh(*x as f32, *y as f32, *width as f32, *height as f32);
            let path = rect.map(PathBuilder::from_rect);
            path.iter().for_each(|p| filled(map, p, &paint(*ink, 1.0)));
        }
        Shape::Text { at, anchor, size, bold, ink, words } => {
            let letters = Letters::new(if *bold { BOLD } else { REGULAR }, *size as f32)?;
            if let Some(path) = letters.set(&clean(words), *at, *anchor) {
                filled(map, &path, &paint(*ink, 1.0));
            }
        }
    }
    Ok(())
}

fn polygon(corners: &[(f64, f64)]) -> Option<Outline> {
    let mut builder = PathBuilder::new();
    for (n, (x, y)) in corners.iter().enumerate() {
        match n {
            0 => builder.move_to(*x as f32, *y as f32),
            _ => builder.line_to(*x as f32, *y as f32),
        }
    }
    builder.close();
    builder.finish()
}

fn filled(map: &mut Pixmap, path: &Outline, paint: &Paint<'_>) {
    map.fill_path(path, paint, FillRule::Winding, Transform::from_scale(SCALE, SCALE), None);
}

fn lined(map: &mut Pixmap, path: &Outline, ink: Ink, width: f64, dash: Option<StrokeDash>) {
    let stroke =
        Stroke { width: width as f32, dash, line_join: LineJoin::Round, ..Stroke::default() };
    map.stroke_path(path, &paint(ink, 1.0), &stroke, Transform::from_scale(SCALE, SCALE), None);
}

fn paint(ink: Ink, opacity: f64) -> Paint<'static> {
    let part = |at: usize| {
        ink.hex().get(at..at + 2).and_then(|h| u8::from_str_radix(h, 16).ok()).unwrap_or_default()
    };
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(part(1), part(3), part(5), (opacity * 255.0).round() as u8);
    paint
}

/// A font at a size.
struct Letters {
    face: Face<'static>,
    scale: f32,
}

impl Letters {
    fn new(font: &'static [u8], size: f32) -> Result<Letters> {
        let face = Face::parse(font, 0)?;
        let scale = size / f32::from(face.units_per_em());
        Ok(Letters { face, scale })
    }

    /// The words as one outline; letters the font lacks become question marks.
    fn set(&self, words: &str, at: (f64, f64), anchor: Anchor) -> Option<Outline> {
        let unknown = self.face.glyph_index('?');
        let glyphs: Vec<_> =
            words.chars().filter_map(|c| self.face.glyph_index(c).or(unknown)).collect();
        let advance = |g| f32::from(self.face.glyph_hor_advance(g).unwrap_or(0)) * self.scale;
        let width: f32 = glyphs.iter().map(|g| advance(*g)).sum();
        let start = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (x, y) = (at.0 as f32 - start, at.1 as f32);
        let mut pen = Pen { builder: PathBuilder::new(), scale: self.scale, x, y };
        for glyph in glyphs {
            self.face.outline_glyph(glyph, &mut pen);
            pen.x += advance(glyph);
        }
        pen.builder.finish()
    }
}

struct Pen {
    builder: PathBuilder,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}
