//! Timing proof: calls that ask for a delay take longer than their twins that ask for none, by a
//! rank test that needs no assumption about the clock of the server.

use super::{Oracle, Proof, group};
use crate::evidence::{Evidence, Exchange};

/// A chance of one in a hundred is no proof.
const P: f64 = 0.01;
/// Of the delay asked for, this much must be there between the middle values.
const SHARE: f64 = 0.8;

/// The proof that a group of calls gives, told with the first delayed one.
pub(super) fn proof(evidence: &Evidence, exchange: &Exchange, name: &str) -> Option<Proof> {
    let calls =
        group(evidence, exchange, |o| matches!(o, Oracle::Timing { group, .. } if group == name));
    let delay_of = |x: &&Exchange| match &x.oracle {
        Some(Oracle::Timing { delay_ms, .. }) => *delay_ms,
        Some(_) | None => 0,
    };
    let answered = calls.into_iter().filter(|x| x.reply.why_unseen().is_none());
    let (delayed, plain): (Vec<&Exchange>, Vec<&Exchange>) =
        answered.partition(|x| delay_of(x) > 0);
    let asked = delayed.first().filter(|x| x.id == exchange.id).map(delay_of)? as f64;
    let millis = |of: &[&Exchange]| of.iter().map(|x| x.took.millis()).collect::<Vec<f64>>();
    let (samples_ms, control_ms) = (millis(&delayed), millis(&plain));
    let p = chance(&samples_ms, &control_ms)?;
    let apart = middle(&samples_ms) - middle(&control_ms);
    (p < P && apart >= asked * SHARE).then_some(Proof::Timing { samples_ms, control_ms, p })
}

/// How likely such an order of two samples is by chance alone: the exact test of Mann and Whitney,
/// one-sided. Ties count against us.
pub(super) fn chance(slow: &[f64], fast: &[f64]) -> Option<f64> {
    if slow.is_empty() || fast.is_empty() {
        return None;
    }
    let wins = slow.iter().map(|s| fast.iter().filter(|f| s > f).count()).sum::<usize>();
    let ways = orders(slow.len(), fast.len());
    let all: f64 = ways.iter().sum();
    Some(ways[wins..].iter().sum::<f64>() / all)
}

/// In how many orders of `n` and `m` values there are so many wins.
fn orders(n: usize, m: usize) -> Vec<f64> {
    let most = n * m;
    let mut by_m: Vec<Vec<f64>> = vec![vec![1.0]; m + 1];
    for slow in 1..=n {
        let mut next: Vec<Vec<f64>> = vec![vec![1.0]];
        for fast in 1..=m {
            // The largest of all is a slow one and beats every fast one, or it is a fast one.
            let mut ways = vec![0.0; slow * fast + 1];
            for (wins, way) in by_m[fast].iter().enumerate() {
                ways[wins + fast] += way;
            }
            for (wins, way) in next[fast - 1].iter().enumerate() {
                ways[wins] += way;
            }
            next.push(ways);
        }
        by_m = next;
    }
    by_m.pop().unwrap_or_else(|| vec![1.0; most + 1])
}

fn middle(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_against_five_fully_apart_is_one_in_252() {
        let p = chance(&[9., 8., 7., 6., 5.5], &[1., 2., 3., 4., 5.]).unwrap();
        assert!((p - 1.0 / 252.0).abs() < 1e-12, "{p}");
    }

    #[test]
    fn equal_samples_prove_nothing_and_no_samples_are_no_test() {
        assert!(chance(&[1.0; 5], &[1.0; 5]).unwrap() > 0.99);
        assert!(chance(&[1., 3., 5., 7., 9.], &[2., 4., 6., 8., 10.]).unwrap() > 0.5);
        assert_eq!(chance(&[], &[1.0]), None);
    }
}
