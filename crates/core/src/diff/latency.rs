//! Tools that answer more slowly or faster than noise explains.

use schemars::JsonSchema;
use serde::Serialize;

use super::Snapshot;
use crate::report::Latency;

/// Times as slow, and by so many milliseconds: below that, machines differ from themselves.
const TIMES: f64 = 1.5;
const MILLIS: f64 = 10.0;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LatencyChange {
    pub tool: String,
    pub before: Latency,
    pub after: Latency,
    /// How many times the former median.
    pub times: f64,
}

pub(super) fn changes(before: &Snapshot, after: &Snapshot) -> Vec<LatencyChange> {
    let pairs = after.tools.iter().filter_map(|new| {
        let old = before.tools.iter().find(|old| old.name == new.name)?;
        Some((new.name.clone(), old.latency_ms?, new.latency_ms?))
    });
    let beyond = pairs.filter(|(_, old, new)| is_slower(old, new) || is_slower(new, old));
    beyond
        .map(|(tool, before, after)| {
            let times = (after.p50 / before.p50.max(0.001) * 10.0).round() / 10.0;
            LatencyChange { tool, before, after, times }
        })
        .collect()
}

/// The usual answer of one is slower than nearly every answer of the other.
fn is_slower(fast: &Latency, slow: &Latency) -> bool {
    slow.p50 > fast.p95 && slow.p50 > fast.p50 * TIMES && slow.p50 > fast.p50 + MILLIS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_out_of_the_noise_is_slower() {
        let of = |p50: f64, p95: f64| Latency { p50, p95, max: p95 };
        assert!(is_slower(&of(10.0, 15.0), &of(40.0, 60.0)));
        assert!(!is_slower(&of(10.0, 45.0), &of(40.0, 60.0)), "within the spread");
        assert!(!is_slower(&of(1.0, 2.0), &of(9.0, 12.0)), "a few milliseconds");
        assert!(!is_slower(&of(100.0, 110.0), &of(130.0, 140.0)), "less than half as much again");
    }
}
