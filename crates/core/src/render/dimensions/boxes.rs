//! A box plot: how the servers of a batch are spread in each dimension, as shares of its points.

use super::summary::quartiles;
use crate::dimensions::{Dimension, Evaluation};
use crate::render::chart::{Anchor, Ink, Scene, Shape};

const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 300.0;
const STEP: f64 = 100.0;

pub fn boxes(evaluations: &[Evaluation]) -> Scene {
    let right = LEFT + 6.0 * STEP;
    let title = format!("{} servers, per cent of the points", evaluations.len());
    let (width, height) = (right + 20.0, TOP + HEIGHT + 50.0);
    let mut scene = Scene { width, height, title: title.clone(), shapes: Vec::new() };
    for mark in 0..=4 {
        let y = level(f64::from(mark) / 4.0);
        let (from, to) = ((LEFT, y), (right, y));
        scene.shapes.push(Shape::Line { from, to, ink: Ink::Grid, dashed: false });
        scene.text((LEFT - 8.0, y + 4.0), Anchor::End, format!("{}", mark * 25));
    }
    for (n, dimension) in Dimension::ALL.into_iter().enumerate() {
        let shares = evaluations.iter().filter_map(|e| {
            let score = e.dimensions.iter().find(|d| d.dimension == dimension)?;
            Some(score.points? / score.max.max(1.0))
        });
        draw(&mut scene, n, dimension.title(), &shares.collect::<Vec<f64>>());
    }
    let totals: Vec<f64> = evaluations.iter().filter_map(|e| Some(e.total? / 100.0)).collect();
    draw(&mut scene, 5, "Total", &totals);
    scene.text((LEFT, TOP - 16.0), Anchor::Start, title);
    scene
}

fn draw(scene: &mut Scene, n: usize, title: &str, shares: &[f64]) {
    let middle = LEFT + STEP * (n as f64 + 0.5);
    scene.text((middle, TOP + HEIGHT + 24.0), Anchor::Middle, title);
    let Some([lowest, quarter, median, three, highest]) = quartiles(shares).map(|q| q.map(level))
    else {
        return;
    };
    let ink = Ink::Series(n);
    let (left, right) = (middle - 22.0, middle + 22.0);
    let whisker =
        |from, to| Shape::Line { from: (middle, from), to: (middle, to), ink, dashed: false };
    let corners = vec![(left, three), (right, three), (right, quarter), (left, quarter)];
    scene.shapes.extend([
        whisker(lowest, quarter),
        whisker(three, highest),
        Shape::Polygon { corners, ink, fill: 0.12, stroke: 2.0 },
        Shape::Bar { at: (left, median - 1.5), size: (44.0, 3.0), ink },
    ]);
}

fn level(share: f64) -> f64 {
    TOP + HEIGHT * (1.0 - share)
}
