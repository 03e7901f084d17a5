//! Scoring: parts into areas, areas into one score with bounds, coverage and a level.

use super::curve::{round_down, round_half_up};
use super::part::{self, Reading, State};
use super::{Area, Marks, Missing, Part, Rubric, Scored};
use crate::check::Facet;
use crate::report::{AreaReport, AreaStatus, PartReport};
use crate::target::AuditKind;

/// The level of a server of which nothing was seen.
pub const UNRATED: &str = "UNRATED";

/// What an area comes to, before rounding.
struct AreaReading {
    status: AreaStatus,
    /// What it counts; `None` when its weight goes to the others.
    score: Option<f64>,
    bounds: Option<[f64; 2]>,
    /// 0 to 1.
    coverage: f64,
    parts: Vec<Reading>,
}

impl Rubric {
    /// Weighs the marks as an audit of this kind does.
    pub fn score(&self, marks: &Marks, audit: AuditKind) -> Scored {
        let readings: Vec<AreaReading> =
            self.areas.iter().map(|a| self.read(a, marks, audit)).collect();
        let counted: Vec<(&Area, &AreaReading)> = self
            .areas
            .iter()
            .zip(&readings)
            .filter(|(a, _)| a.weight > 0.0 && !a.info_for.contains(&audit))
            .collect();
        let seen = counted.iter().any(|(_, r)| r.status == AreaStatus::Scored);
        let over = |value: &dyn Fn(&AreaReading) -> Option<f64>| {
            mean(counted.iter().filter_map(|(a, r)| Some((a.weight, value(r)?))))
        };
        let shown = |number: f64| self.shown(number);
        // Areas are rounded first, so that a reader can add up what the report shows.
        let score = over(&|r| r.score.map(shown)).filter(|_| seen).map(shown);
        let exact = over(&|r| r.score).filter(|_| seen);
        let low = over(&|r| r.bounds.map(|b| shown(b[0]))).map_or(0.0, shown);
        let high = over(&|r| r.bounds.map(|b| shown(b[1]))).map_or(100.0, shown);
        let coverage = over(&|r| (r.status != AreaStatus::NotApplicable).then_some(r.coverage));
        let coverage = round_down(100.0 * coverage.unwrap_or(0.0), self.decimals);
        let (level, held_back) = match score {
            None => (UNRATED.to_owned(), None),
            Some(score) => {
                let obstacle = self.obstacle(&counted, coverage, audit);
                self.level(score, obstacle.or_else(|| self.blocked(marks)))
            }
        };
        let areas =
            self.areas.iter().zip(&readings).map(|(a, r)| self.area_report(a, r, audit)).collect();
        Scored { score, exact, bounds: [low, high], level, held_back, coverage, areas }
    }

    fn shown(&self, number: f64) -> f64 {
        round_half_up(number, self.decimals)
    }

    fn read(&self, area: &Area, marks: &Marks, audit: AuditKind) -> AreaReading {
        let parts: Vec<Reading> = area.parts.iter().map(|p| part::read(p, marks)).collect();
        let applicable: Vec<(f64, &Reading)> = area
            .parts
            .iter()
            .map(|p| p.weight)
            .zip(&parts)
            .filter(|(_, r)| r.state != State::NotApplicable)
            .collect();
        let coverage = mean(applicable.iter().map(|(w, r)| (*w, r.coverage))).unwrap_or(0.0);
        if area.not_applicable_for.contains(&audit) || applicable.is_empty() {
            return not_applicable(self.inapplicable, parts);
        }
        let score = mean(applicable.iter().filter_map(|(w, r)| match r.state {
            State::Scored(points) => Some((*w, points)),
            State::Unobserved | State::NotApplicable => None,
        }));
        let bound = |i: usize| {
            let end = mean(applicable.iter().map(|(w, r)| (*w, r.bounds[i])));
            area.curve.points(end.unwrap_or(0.0))
        };
        match score {
            Some(score) => AreaReading {
                status: AreaStatus::Scored,
                score: Some(area.curve.points(score)),
                bounds: Some([bound(0), bound(1)]),
                coverage,
                parts,
            },
            None => AreaReading {
                status: AreaStatus::Unobserved,
                score: counts_as(self.unobserved),
                bounds: Some([0.0, 100.0]),
                coverage,
                parts,
            },
        }
    }

    /// Why the top level is out of reach, whatever the score.
    fn obstacle(
        &self,
        counted: &[(&Area, &AreaReading)],
        coverage: f64,
        audit: AuditKind,
    ) -> Option<String> {
        let floor = self.coverage_floor;
        if coverage < floor {
            return Some(format!("only {coverage} % was seen, the rubric asks for {floor} %"));
        }
        for (area, reading) in counted {
            if area.not_applicable_for.contains(&audit) {
                continue;
            }
            for (part, seen) in area.parts.iter().zip(&reading.parts) {
                if let Some(why) = self.lacks(part, seen) {
                    return Some(why);
                }
            }
        }
        None
    }

    /// What one part lacks for the top level.
    fn lacks(&self, part: &Part, seen: &Reading) -> Option<String> {
        let (floor, title) = (self.coverage_floor, part.title.to_lowercase());
        let points = match seen.state {
            State::Scored(points) => Some(points),
            State::Unobserved | State::NotApplicable => None,
        };
        let share = round_down(100.0 * seen.coverage, self.decimals);
        if part.required && (points.is_none() || share < floor) {
            return Some(format!("{share} % of {title} was seen, the rubric asks for {floor} %"));
        }
        let least = part.at_least?;
        let points = self.shown(points.filter(|p| *p < least)?);
        Some(format!("{title}: {points} of 100, the rubric asks for {least}"))
    }

    /// A failure that no score makes up for.
    fn blocked(&self, marks: &Marks) -> Option<String> {
        let failed = |facet: &&Facet| {
            let marks = marks.get(facet).into_iter().flatten();
            marks.filter_map(|m| m.grade).any(|g| !g.is_pass())
        };
        let facet = self.blockers.iter().find(failed)?;
        Some(format!("a failure in `{facet}` rules it out, see the findings"))
    }

    fn level(&self, score: f64, obstacle: Option<String>) -> (String, Option<String>) {
        let reached = self.bands.iter().position(|b| score >= b.at);
        let (index, held_back) = match (reached, obstacle) {
            (Some(0), Some(why)) => (1, Some(why)),
            (Some(index), _) => (index, None),
            (None, _) => (self.bands.len().saturating_sub(1), None),
        };
        let level = self.bands.get(index).map_or(UNRATED, |b| b.level.as_str());
        (level.to_owned(), held_back)
    }

    fn area_report(&self, area: &Area, reading: &AreaReading, audit: AuditKind) -> AreaReport {
        let info = area.info_for.contains(&audit) && reading.status != AreaStatus::NotApplicable;
        let score = reading.score.map(|s| self.shown(s));
        let rated = reading.status == AreaStatus::Scored && !info;
        AreaReport {
            id: area.id.clone(),
            title: area.title.clone(),
            score,
            bounds: reading.bounds.unwrap_or([0.0, 100.0]).map(|b| self.shown(b)),
            weight: area.weight,
            coverage: round_down(100.0 * reading.coverage, self.decimals),
            status: if info { AreaStatus::Info } else { reading.status },
            level: score.filter(|_| rated).map(|s| self.level(s, None).0),
            parts: area
                .parts
                .iter()
                .zip(&reading.parts)
                .map(|(p, r)| self.part_report(p, r))
                .collect(),
        }
    }

    fn part_report(&self, part: &super::Part, reading: &Reading) -> PartReport {
        let (score, status) = match reading.state {
            State::Scored(points) => (Some(self.shown(points)), AreaStatus::Scored),
            State::Unobserved => (None, AreaStatus::Unobserved),
            State::NotApplicable => (None, AreaStatus::NotApplicable),
        };
        PartReport {
            id: part.id.clone(),
            title: part.title.clone(),
            score,
            bounds: reading.bounds.map(|b| self.shown(b)),
            weight: part.weight,
            coverage: round_down(100.0 * reading.coverage, self.decimals),
            status,
            facets: part.facets.clone(),
            passed: reading.count.passed,
            failed: reading.count.failed,
            unseen: reading.count.unseen,
        }
    }
}

fn not_applicable(counts: Missing, parts: Vec<Reading>) -> AreaReading {
    let score = counts_as(counts);
    let bounds = score.map(|s| [s, s]);
    AreaReading { status: AreaStatus::NotApplicable, score, bounds, coverage: 0.0, parts }
}

fn counts_as(missing: Missing) -> Option<f64> {
    match missing {
        Missing::Drop => None,
        Missing::Zero => Some(0.0),
        Missing::Full => Some(100.0),
    }
}

/// The weighted mean, or `None` of nothing.
fn mean(items: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut weights, mut sum) = (0.0, 0.0);
    for (weight, value) in items {
        weights += weight;
        sum += weight * value;
    }
    (weights > 0.0).then(|| sum / weights)
}
