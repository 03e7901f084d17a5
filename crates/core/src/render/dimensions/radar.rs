//! A radar chart of the five dimensions.

use crate::dimensions::{Dimension, Evaluation};
use crate::render::chart::{self, Scene, Series};
use crate::render::text::points;

/// One server, or up to seven beside each other; those that come after are left out and counted.
pub fn radar(evaluations: &[Evaluation]) -> Scene {
    let value = |dimension| {
        let [only] = evaluations else { return None };
        let score = only.dimensions.iter().find(|d| d.dimension == dimension)?;
        Some(format!("{}/{}", score.points.map_or("–".to_owned(), points), points(score.max)))
    };
    let axes: Vec<(String, String)> = Dimension::ALL
        .into_iter()
        .map(|d| (d.title().to_owned(), value(d).unwrap_or_default()))
        .collect();
    let series: Vec<Series> = evaluations.iter().map(series).collect();
    chart::radar("Scores in five dimensions", &axes, &series)
}

fn series(evaluation: &Evaluation) -> Series {
    let total = evaluation.total.map_or("no score".to_owned(), points);
    let shares = Dimension::ALL.into_iter().map(|dimension| {
        let score = evaluation.dimensions.iter().find(|d| d.dimension == dimension)?;
        Some(score.points? / score.max.max(1.0))
    });
    Series {
        name: Some(format!("{} · {total}", evaluation.server)),
        shares: shares.collect(),
        bounds: Vec::new(),
    }
}
