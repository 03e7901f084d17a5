//! Reading one part: from marks to a score, its bounds and its coverage.

use std::collections::BTreeMap;

use super::curve::steady;
use super::{Mark, Marks, Measure, Part, Per};

/// What a part comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    pub(super) state: State,
    /// The score had all that was not seen failed, and had it passed.
    pub(super) bounds: [f64; 2],
    /// 0 to 1.
    pub(super) coverage: f64,
    pub(super) count: Count,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum State {
    Scored(f64),
    Unobserved,
    NotApplicable,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Count {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) unseen: usize,
}

impl Reading {
    fn without_marks(state: State) -> Reading {
        Reading { state, bounds: [0.0, 100.0], coverage: 0.0, count: Count::default() }
    }
}

/// One finding, or one tool or check with all its findings.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    per: Per,
    /// The worst grade seen, and the sum of all.
    worst: Option<f64>,
    sum: f64,
    marks: usize,
    unseen: usize,
}

impl Group {
    fn of(per: Per) -> Group {
        Group { per, ..Group::default() }
    }

    fn with(mut self, mark: &Mark) -> Group {
        self.marks += 1;
        match mark.grade {
            None => self.unseen += 1,
            Some(g) => {
                self.worst = Some(self.worst.map_or(g.value(), |s| s.min(g.value())));
                self.sum += g.value();
            }
        }
        self
    }

    fn seen(self) -> Option<f64> {
        match self.per {
            Per::Finding | Per::Tool => self.worst,
            Per::Check => self.worst.map(|_| self.sum / (self.marks - self.unseen).max(1) as f64),
        }
    }

    fn lower(self) -> f64 {
        match self.per {
            Per::Finding | Per::Tool if self.unseen > 0 => 0.0,
            Per::Finding | Per::Tool => self.worst.unwrap_or(0.0),
            Per::Check => self.sum / self.marks.max(1) as f64,
        }
    }

    fn upper(self) -> f64 {
        match self.per {
            Per::Finding | Per::Tool => self.worst.unwrap_or(1.0),
            Per::Check => (self.sum + self.unseen as f64) / self.marks.max(1) as f64,
        }
    }

    fn share_seen(self) -> f64 {
        (self.marks - self.unseen) as f64 / self.marks.max(1) as f64
    }
}

pub(super) fn read(part: &Part, marks: &Marks) -> Reading {
    let looked_at: Vec<&Vec<Mark>> = part.facets.iter().filter_map(|f| marks.get(f)).collect();
    let absent = part.facets.len() - looked_at.len();
    let present: Vec<&Vec<Mark>> = looked_at.into_iter().filter(|m| !m.is_empty()).collect();
    if present.is_empty() {
        let state = if absent > 0 { State::Unobserved } else { State::NotApplicable };
        return Reading::without_marks(state);
    }
    let all = || present.iter().copied().flatten();
    let count = count(part.per, all());
    let groups = groups(part.per, all());
    if all().all(|m| m.grade.is_none()) {
        return Reading { count, ..Reading::without_marks(State::Unobserved) };
    }
    let failed = |m: &Mark| m.grade.is_some_and(|g| !g.is_pass());
    let severe = |counts: &dyn Fn(&Mark) -> bool| {
        part.cap.as_ref().is_some_and(|c| all().any(|m| m.severity >= c.severity && counts(m)))
    };
    let known = severe(&failed);
    let feared = severe(&|m| m.grade.is_none() || failed(m));
    let seen = points(part, groups.iter().filter_map(|g| g.seen()), known);
    let lower = points(part, groups.iter().map(|g| g.lower()), feared);
    let upper = points(part, groups.iter().map(|g| g.upper()), known);
    // Facets nobody looked at can't enter the score, but they widen its bounds.
    let facets = (present.len() + absent) as f64;
    let share = present.len() as f64 / facets;
    let bounds = [lower * share, upper * share + 100.0 * (1.0 - share)];
    let coverage = present.iter().map(|m| covered(part.per, m)).sum::<f64>() / facets;
    Reading { state: State::Scored(seen), bounds, coverage, count }
}

fn groups<'a>(per: Per, marks: impl Iterator<Item = &'a Mark>) -> Vec<Group> {
    match per {
        Per::Finding => marks.map(|m| Group::of(per).with(m)).collect(),
        // What belongs to no tool is the server's, as one.
        Per::Tool => grouped(per, marks, |mark| mark.tool.as_deref()),
        Per::Check => grouped(per, marks, |mark| Some(mark.check)),
    }
}

fn grouped<'a>(
    per: Per,
    marks: impl Iterator<Item = &'a Mark>,
    key: fn(&Mark) -> Option<&str>,
) -> Vec<Group> {
    let mut groups: BTreeMap<Option<&str>, Group> = BTreeMap::new();
    for mark in marks {
        let group = groups.entry(key(mark)).or_insert_with(|| Group::of(per));
        *group = group.with(mark);
    }
    groups.into_values().collect()
}

fn covered(per: Per, marks: &[Mark]) -> f64 {
    let groups = groups(per, marks.iter());
    groups.iter().map(|g| g.share_seen()).sum::<f64>() / groups.len().max(1) as f64
}

/// A check is shown by its findings: a mean neither passes nor fails.
fn count<'a>(per: Per, marks: impl Iterator<Item = &'a Mark>) -> Count {
    let shown = match per {
        Per::Finding | Per::Check => Per::Finding,
        Per::Tool => Per::Tool,
    };
    let mut count = Count::default();
    for group in groups(shown, marks) {
        match group.seen() {
            Some(worst) if worst < 1.0 => count.failed += 1,
            Some(_) if group.unseen == 0 => count.passed += 1,
            Some(_) | None => count.unseen += 1,
        }
    }
    count
}

fn points(part: &Part, grades: impl Iterator<Item = f64>, severe: bool) -> f64 {
    let (mut sum, mut number) = (0.0, 0usize);
    for grade in grades {
        sum += grade;
        number += 1;
    }
    let measure = steady(match part.measure {
        Measure::Mean => 100.0 * sum / number.max(1) as f64,
        Measure::Failures => number as f64 - sum,
    });
    let points = part.curve.points(measure);
    match &part.cap {
        Some(cap) if severe => points.min(cap.curve.points(measure)),
        Some(_) | None => points,
    }
}
