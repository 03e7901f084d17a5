//! Labelled runs.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The dimensions and the total, in the order of all arrays here.
pub(crate) const NAMES: [&str; 6] =
    ["functionality", "robustness", "security", "performance", "transparency", "total"];

pub(crate) struct Label {
    pub(crate) id: String,
    pub(crate) server: String,
    pub(crate) task: String,
    pub(crate) flags: Vec<String>,
    pub(crate) scores: [f64; 6],
}

#[derive(Deserialize)]
struct Line {
    id: String,
    server: String,
    task: String,
    #[serde(default)]
    flags: Vec<String>,
    scores: Option<BTreeMap<String, f64>>,
}

impl Label {
    /// Runs without scores are left out: their report was too large to be judged.
    pub(crate) fn read(text: &str) -> Result<Vec<Label>, serde_json::Error> {
        let lines: Vec<Line> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok(lines
            .into_iter()
            .filter_map(|line| {
                let scores = line.scores?;
                let score = |name: &str| scores.get(name).copied().unwrap_or_default();
                Some(Label {
                    id: line.id,
                    server: line.server,
                    task: line.task,
                    flags: line.flags,
                    scores: NAMES.map(score),
                })
            })
            .collect())
    }
}

/// The standard deviation of a label between runs of the same server.
pub(crate) fn noise<'a>(labels: impl Iterator<Item = &'a Label>, dimension: usize) -> f64 {
    let mut servers: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for label in labels {
        servers.entry(&label.server).or_default().push(label.scores[dimension]);
    }
    let (mut squares, mut freedom) = (0.0, 0.0);
    for scores in servers.values() {
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        squares += scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>();
        freedom += scores.len() as f64 - 1.0;
    }
    (squares / freedom.max(1.0)).sqrt()
}
