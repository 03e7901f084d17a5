//! Correlations, and how sure they are.

use std::collections::BTreeMap;

use proofmark_core::seed::Seed;

pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

pub(crate) fn pearson(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let (mx, my) =
        (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        xy += (x - mx) * (y - my);
        xx += (x - mx).powi(2);
        yy += (y - my).powi(2);
    }
    xy / (xx * yy).sqrt()
}

pub(crate) fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let ranked: Vec<(f64, f64)> = ranks(&x).into_iter().zip(ranks(&y)).collect();
    pearson(&ranked)
}

/// Equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let same = order[from..].iter().take_while(|i| values[**i] == values[order[from]]).count();
        for place in &order[from..from + same] {
            ranks[*place] = from as f64 + (same - 1) as f64 / 2.0;
        }
        from += same;
    }
    ranks
}

pub(crate) fn mean_absolute(pairs: &[(f64, f64)]) -> f64 {
    pairs.iter().map(|(x, y)| (x - y).abs()).sum::<f64>() / pairs.len() as f64
}

/// Runs of one server hang together, so servers are drawn, not runs.
pub(crate) fn bootstrap(pairs: &[(f64, f64)], groups: &[&str]) -> Interval {
    const DRAWS: u64 = 400;
    let mut servers: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for (pair, group) in pairs.iter().zip(groups) {
        servers.entry(group).or_default().push(*pair);
    }
    let servers: Vec<Vec<(f64, f64)>> = servers.into_values().collect();
    let mut found: Vec<f64> = (0..DRAWS)
        .map(|draw| {
            let seed = Seed(draw);
            let last = servers.len() as u64 - 1;
            let drawn: Vec<(f64, f64)> = (0..servers.len())
                .flat_map(|n| servers[seed.between(&n.to_string(), 0, last) as usize].clone())
                .collect();
            spearman(&drawn)
        })
        .collect();
    found.sort_by(f64::total_cmp);
    let at = |share: f64| found[(share * (found.len() - 1) as f64).round() as usize];
    Interval { low: at(0.025), high: at(0.975) }
}
