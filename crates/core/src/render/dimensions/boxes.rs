//! A box plot: how the servers of a batch are spread in each dimension, as shares of its points.

use std::fmt::Write;

use super::summary::quartiles;
use super::svg::{color, page, text};
use crate::dimensions::{Dimension, Evaluation};

const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 300.0;
const STEP: f64 = 100.0;

pub fn boxes(evaluations: &[Evaluation]) -> String {
    let mut body = String::new();
    let right = LEFT + 6.0 * STEP;
    for mark in 0..=4 {
        let share = f64::from(mark) / 4.0;
        let y = level(share);
        let _ = writeln!(
            body,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#e0e0e0\"/>"
        );
        body.push_str(&text(LEFT - 8.0, y + 4.0, "end", &format!("{}", mark * 25)));
    }
    for (n, dimension) in Dimension::ALL.into_iter().enumerate() {
        let shares = evaluations.iter().filter_map(|e| {
            let score = e.dimensions.iter().find(|d| d.dimension == dimension)?;
            Some(score.points? / score.max.max(1.0))
        });
        draw(&mut body, n, dimension.title(), &shares.collect::<Vec<f64>>());
    }
    let totals: Vec<f64> = evaluations.iter().filter_map(|e| Some(e.total? / 100.0)).collect();
    draw(&mut body, 5, "Total", &totals);
    let title = format!("{} servers, per cent of the points", evaluations.len());
    body.push_str(&text(LEFT, TOP - 16.0, "start", &title));
    page(right + 20.0, TOP + HEIGHT + 50.0, &title, &body)
}

fn draw(body: &mut String, n: usize, title: &str, shares: &[f64]) {
    let middle = LEFT + STEP * (n as f64 + 0.5);
    body.push_str(&text(middle, TOP + HEIGHT + 24.0, "middle", title));
    let Some([lowest, quarter, median, three, highest]) = quartiles(shares).map(|q| q.map(level))
    else {
        return;
    };
    let paint = color(n);
    let (x1, x2, tall) = (middle - 22.0, middle + 22.0, quarter - three);
    let _ = writeln!(
        body,
        "<line x1=\"{middle}\" y1=\"{lowest:.1}\" x2=\"{middle}\" y2=\"{highest:.1}\" stroke=\"{paint}\"/>"
    );
    let _ = writeln!(
        body,
        "<rect x=\"{x1}\" y=\"{three:.1}\" width=\"44\" height=\"{tall:.1}\" fill=\"#ffffff\" stroke=\"{paint}\" stroke-width=\"2\"/>"
    );
    let _ = writeln!(
        body,
        "<line x1=\"{x1}\" y1=\"{median:.1}\" x2=\"{x2}\" y2=\"{median:.1}\" stroke=\"{paint}\" stroke-width=\"3\"/>"
    );
}

fn level(share: f64) -> f64 {
    TOP + HEIGHT * (1.0 - share)
}
