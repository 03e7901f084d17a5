//! A radar chart: every axis is a dimension, from none to all of its points. The axes are never cut.

use std::f64::consts::TAU;
use std::fmt::Write;

use super::svg::{color, page, text};
use crate::dimensions::{Dimension, Evaluation};
use crate::render::text::{clip, points};

const CENTRE: (f64, f64) = (300.0, 260.0);
const RADIUS: f64 = 180.0;
/// More could not be told apart.
const MOST: usize = 7;

/// One server, or up to seven beside each other; those that come after are left out and counted.
pub fn radar(evaluations: &[Evaluation]) -> String {
    let mut body = String::new();
    for ring in 1..=4 {
        let share = f64::from(ring) / 4.0;
        let corners: Vec<String> = (0..5).map(|axis| at(axis, share)).collect();
        let corners = corners.join(" ");
        let _ = writeln!(body, "<polygon points=\"{corners}\" fill=\"none\" stroke=\"#d0d0d0\"/>");
    }
    let single = <[Evaluation; 1]>::try_from(evaluations.to_vec()).ok();
    for (axis, dimension) in Dimension::ALL.into_iter().enumerate() {
        let (x, y) = place(axis, 1.14);
        let value = single.as_ref().and_then(|[only]| {
            let score = only.dimensions.iter().find(|d| d.dimension == dimension)?;
            Some(format!(" {}/{}", score.points.map_or("–".to_owned(), points), points(score.max)))
        });
        let label = format!("{}{}", dimension.title(), value.unwrap_or_default());
        body.push_str(&text(x, y + 4.0, "middle", &label));
        let (x2, y2) = place(axis, 1.0);
        let (x1, y1) = CENTRE;
        let _ = writeln!(
            body,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#d0d0d0\"/>"
        );
    }
    for (n, evaluation) in evaluations.iter().take(MOST).enumerate() {
        shape(&mut body, n, evaluation);
    }
    let left_out = evaluations.len().saturating_sub(MOST);
    if left_out > 0 {
        let y = 500.0 + 20.0 * MOST as f64;
        body.push_str(&text(60.0, y, "start", &format!("and {left_out} more, not drawn")));
    }
    let lines = evaluations.len().min(MOST) + usize::from(left_out > 0);
    page(600.0, 500.0 + 20.0 * lines as f64, "Scores in five dimensions", &body)
}

fn shape(body: &mut String, n: usize, evaluation: &Evaluation) {
    let corners: Vec<String> = evaluation
        .dimensions
        .iter()
        .enumerate()
        .map(|(axis, score)| at(axis, score.points.unwrap_or_default() / score.max.max(1.0)))
        .collect();
    let (paint, corners) = (color(n), corners.join(" "));
    let _ = writeln!(
        body,
        "<polygon points=\"{corners}\" fill=\"{paint}\" fill-opacity=\"0.12\" stroke=\"{paint}\" stroke-width=\"2\"/>"
    );
    let y = 500.0 + 20.0 * n as f64;
    let total = evaluation.total.map_or("no score".to_owned(), points);
    let _ = writeln!(
        body,
        "<rect x=\"40\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{paint}\"/>",
        y - 11.0
    );
    let name = clip(&evaluation.server, 60, "…");
    body.push_str(&text(60.0, y, "start", &format!("{name} · {total}")));
}

/// A point of an axis, at a share of its length.
fn place(axis: usize, share: f64) -> (f64, f64) {
    let angle = TAU * axis as f64 / 5.0;
    (CENTRE.0 + RADIUS * share * angle.sin(), CENTRE.1 - RADIUS * share * angle.cos())
}

fn at(axis: usize, share: f64) -> String {
    let (x, y) = place(axis, share);
    format!("{x:.1},{y:.1}")
}
