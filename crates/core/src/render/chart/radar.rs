//! A radar chart: every axis goes from none to all of its points, and is never cut.

use std::f64::consts::TAU;

use super::scene::{Anchor, Ink, Scene, Shape};
use crate::render::text::clip;

const CENTRE: (f64, f64) = (280.0, 200.0);
const RADIUS: f64 = 150.0;
/// Below the web, where the legend starts.
const FOOT: f64 = 410.0;
/// More could not be told apart.
const MOST: usize = 7;

/// One shape: a share of each axis, none where nothing was seen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Shown in the legend; without one there is none.
    pub name: Option<String>,
    pub shares: Vec<Option<f64>>,
    /// How far it could reach, had everything been seen.
    pub bounds: Vec<[f64; 2]>,
}

/// Axes are a title and a line below it. Up to seven series; those that come after are counted.
pub fn radar(title: &str, axes: &[(String, String)], series: &[Series]) -> Scene {
    let legend = series.iter().take(MOST).filter(|s| s.name.is_some()).count();
    let left_out = series.len().saturating_sub(MOST);
    let lines = legend + usize::from(left_out > 0);
    let height = if lines == 0 { FOOT - 20.0 } else { FOOT + 20.0 * lines as f64 - 4.0 };
    let mut scene = Scene { width: 560.0, height, title: title.to_owned(), shapes: Vec::new() };
    let web = Web { axes: axes.len() };
    for ring in 1..=4 {
        let share = f64::from(ring) / 4.0;
        let corners = (0..axes.len()).map(|axis| web.at(axis, share)).collect();
        scene.shapes.push(Shape::Polygon { corners, ink: Ink::Grid, fill: 0.0, stroke: 1.0 });
    }
    for (axis, (title, value)) in axes.iter().enumerate() {
        let seen = series.iter().any(|s| s.shares.get(axis).copied().flatten().is_some());
        web.axis(&mut scene, axis, title, value, !seen);
    }
    for (n, one) in series.iter().take(MOST).enumerate() {
        web.shape(&mut scene, n, one);
        if let Some(name) = &one.name {
            let y = FOOT + 20.0 * n as f64;
            let (at, size) = ((40.0, y - 11.0), (12.0, 12.0));
            scene.shapes.push(Shape::Bar { at, size, ink: Ink::Series(n) });
            scene.text((60.0, y), Anchor::Start, clip(name, 60, "…"));
        }
    }
    if left_out > 0 {
        let at = (60.0, FOOT + 20.0 * legend as f64);
        scene.text(at, Anchor::Start, format!("and {left_out} more, not drawn"));
    }
    scene
}

struct Web {
    axes: usize,
}

impl Web {
    /// A point of an axis, at a share of its length.
    fn at(&self, axis: usize, share: f64) -> (f64, f64) {
        let angle = TAU * axis as f64 / self.axes.max(1) as f64;
        (CENTRE.0 + RADIUS * share * angle.sin(), CENTRE.1 - RADIUS * share * angle.cos())
    }

    fn axis(&self, scene: &mut Scene, axis: usize, title: &str, value: &str, dashed: bool) {
        scene.shapes.push(Shape::Line {
            from: CENTRE,
            to: self.at(axis, 1.0),
            ink: Ink::Grid,
            dashed,
        });
        let (x, y) = self.at(axis, 1.05);
        let side = x - CENTRE.0;
        let anchor = match () {
            () if side > 5.0 => Anchor::Start,
            () if side < -5.0 => Anchor::End,
            () => Anchor::Middle,
        };
        // Both lines stand above the top of the web and below its foot.
        let y = y - 4.0 + 18.0 * (y - CENTRE.1) / (1.05 * RADIUS);
        let mut line = |y, bold, ink, words: &str| {
            let (at, words) = ((x, y), clip(words, 22, "…"));
            scene.shapes.push(Shape::Text { at, anchor, size: 14.0, bold, ink, words });
        };
        line(y, false, Ink::Faint, title);
        line(y + 17.0, true, Ink::Text, value);
    }

    fn shape(&self, scene: &mut Scene, n: usize, series: &Series) {
        let ink = Ink::Series(n);
        if !series.bounds.is_empty() {
            let corners = series.bounds.iter().enumerate().map(|(a, b)| self.at(a, b[1])).collect();
            scene.shapes.push(Shape::Polygon { corners, ink, fill: 0.06, stroke: 0.0 });
        }
        let corners: Vec<(f64, f64)> = series
            .shares
            .iter()
            .enumerate()
            .filter_map(|(axis, share)| Some(self.at(axis, (*share)?)))
            .collect();
        let dots = corners.iter().map(|at| Shape::Circle { at: *at, radius: 3.5, ink });
        let dots: Vec<Shape> = dots.collect();
        scene.shapes.push(Shape::Polygon { corners, ink, fill: 0.14, stroke: 2.0 });
        scene.shapes.extend(dots);
    }
}
