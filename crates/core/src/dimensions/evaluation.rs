//! The evaluation of one server: verdicts into rates, rates into points, points into a total.

use schemars::JsonSchema;
use serde::Serialize;

use super::ask::{AnswerBook, Fault};
use super::case::Case;
use super::category::Category;
use super::credit::{Credit, Sum};
use super::dimension::{Dimension, DimensionScore};
use super::explain;
use super::flag::Flag;
use super::opinion::{JudgedBy, Opinion};
use super::outcome::Outcome;
use super::profile::Profile;
use super::recording::Recording;
use super::verdict::{Standing, Verdict, Word, judge};
use super::vote::{rules_alone, vote};
use crate::check::Confidence;
use crate::rubric::{Rubric, RubricError};

/// Format and version of the JSON of an evaluation.
pub const SCHEMA: &str = "proofmark.dimensions/1.0";

/// What a recorded suite comes to. The same recording gives the same bytes, in any order of cases.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Evaluation {
    pub schema: &'static str,
    pub proofmark: &'static str,
    pub server: String,
    /// Which bands turned rates into points.
    pub bands: Profile,
    /// Out of 100; `None` when nothing could be judged.
    pub total: Option<f64>,
    pub level: String,
    /// Why the total or its level is held down.
    pub held: Vec<String>,
    pub flags: Vec<Flag>,
    pub dimensions: Vec<DimensionScore>,
    pub tools: usize,
    pub judged_by: JudgedBy,
    /// Sorted by tool, name and arguments.
    pub cases: Vec<CaseVerdict>,
}

/// One case and what we make of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CaseVerdict {
    pub tool: String,
    pub case: String,
    pub category: Category,
    pub standing: Standing,
    pub confidence: Confidence,
    pub why: String,
    pub seconds: f64,
    /// What a model says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
    /// Why a model that was asked gave no usable answer; the case then counts nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ungraded: Option<Fault>,
}

impl Evaluation {
    /// By the rules alone.
    pub fn of(recording: &Recording, bands: Profile) -> Result<Evaluation, RubricError> {
        Evaluation::with_answers(recording, bands, None)
    }

    /// With the answers of a model, as far as there are any.
    pub fn with_answers(
        recording: &Recording,
        bands: Profile,
        book: Option<&AnswerBook>,
    ) -> Result<Evaluation, RubricError> {
        let cases = &recording.in_order();
        let verdicts = &mut judge(cases);
        // What is certain from the raw answers is not up for a vote.
        let flags = flags(recording, cases, verdicts);
        let judged_by = match book {
            Some(book) => vote(cases, verdicts, book),
            None => rules_alone(cases, verdicts),
        };
        let rubric = bands.rubric()?;
        let judged = Judged { cases, verdicts, flags: &flags, rubric: &rubric };
        let dimensions: Vec<DimensionScore> =
            Dimension::ALL.into_iter().map(|d| judged.score(d)).collect();
        let (total, level, held) = judged.total(&dimensions);
        Ok(Evaluation {
            schema: SCHEMA,
            proofmark: crate::VERSION,
            server: recording.server.clone(),
            bands,
            total,
            level,
            held,
            dimensions,
            tools: recording.tools.len(),
            judged_by,
            cases: cases.iter().zip(verdicts.iter()).map(CaseVerdict::of).collect(),
            flags,
        })
    }

    /// Whether the top level is reached.
    pub fn passes(&self) -> bool {
        let rubric = self.bands.rubric().ok();
        let top = rubric.as_ref().and_then(|r| r.bands.first());
        top.is_some_and(|band| band.level == self.level)
    }

    pub fn points(&self, dimension: Dimension) -> Option<f64> {
        self.dimensions.iter().find(|d| d.dimension == dimension)?.points
    }
}

impl CaseVerdict {
    fn of((case, verdict): (&Case, &Verdict)) -> CaseVerdict {
        CaseVerdict {
            tool: case.tool.clone(),
            case: case.name.clone(),
            category: verdict.category,
            standing: verdict.standing,
            confidence: verdict.confidence,
            why: verdict.why.clone(),
            seconds: case.seconds,
            opinion: verdict.opinion.clone(),
            ungraded: match verdict.word {
                Word::Ungraded(fault) => Some(fault),
                Word::Rules | Word::Model { .. } => None,
            },
        }
    }
}

fn flags(recording: &Recording, cases: &[Case], verdicts: &[Verdict]) -> Vec<Flag> {
    let functional = || verdicts.iter().filter(|v| v.category == Category::Functional);
    let mut flags = Vec::new();
    if functional().count() > 0 && !functional().any(|v| v.outcome.is_answer()) {
        flags.push(Flag::AllFunctionalFailed);
    }
    let breach = |v: &Verdict, of_kind: bool| v.standing == Standing::Breach && of_kind;
    if cases.iter().zip(verdicts).any(|(c, v)| breach(v, c.proven.is_none())) {
        flags.push(Flag::TraversalSucceeded);
    }
    if cases.iter().zip(verdicts).any(|(c, v)| breach(v, c.proven == Some(true))) {
        flags.push(Flag::HoleProven);
    }
    if verdicts.iter().any(|v| v.outcome == Outcome::Lost) {
        flags.push(Flag::ServerLostMidway);
    }
    if recording.aborted {
        flags.push(Flag::Aborted);
    }
    flags
}

/// All that the points of a dimension depend on.
pub(super) struct Judged<'a> {
    pub(super) cases: &'a [Case],
    pub(super) verdicts: &'a [Verdict],
    pub(super) flags: &'a [Flag],
    pub(super) rubric: &'a Rubric,
}

/// A server of which nothing is seen to work never gets past the lowest level.
const NOTHING_WORKS: &str = "no functional case was fulfilled";

impl Judged<'_> {
    fn score(&self, dimension: Dimension) -> DimensionScore {
        let mut sum = Sum::default();
        for (case, verdict) in self.cases.iter().zip(self.verdicts) {
            if let Some((credit, weight)) = dimension.credit(verdict, case.seconds) {
                sum.add(credit, weight);
            }
        }
        if dimension == Dimension::Robustness && self.flags.contains(&Flag::ServerLostMidway) {
            sum.add(Credit::NONE, 1);
        }
        let by_tool: Vec<(&str, &Verdict)> =
            self.cases.iter().map(|c| c.tool.as_str()).zip(self.verdicts).collect();
        let rate = dimension.rate(sum, &by_tool).map(|rate| 100.0 * rate);
        let area = self.rubric.areas.iter().find(|a| a.id == dimension.id());
        let max = area.map_or(0.0, |a| a.weight);
        let points = |rate: f64| self.points(dimension, rate);
        let interval = rate.map(|r| wilson(r, sum.cases).map(points));
        let mut score = DimensionScore {
            dimension,
            title: dimension.title(),
            points: rate.map(points),
            max,
            rate: rate.map(round),
            interval,
            cases: sum.cases,
            rationale: String::new(),
            held: None,
            examples: Vec::new(),
            recommendations: Vec::new(),
        };
        explain::explain(&mut score, self);
        score
    }

    /// By the bands of the rubric; a serious hole by the bands of its cap.
    fn points(&self, dimension: Dimension, rate: f64) -> f64 {
        let area = self.rubric.areas.iter().find(|a| a.id == dimension.id());
        let Some((area, part)) = area.and_then(|a| Some((a, a.parts.first()?))) else { return 0.0 };
        let serious = dimension == Dimension::Security && self.flags.iter().any(|f| f.is_hole());
        let share = match &part.cap {
            Some(cap) if serious => cap.curve.points(rate),
            Some(_) | None => part.curve.points(rate),
        };
        round(share * area.weight / 100.0)
    }

    /// Dimensions of which nothing was seen leave their weight to the others.
    fn total(&self, dimensions: &[DimensionScore]) -> (Option<f64>, String, Vec<String>) {
        let seen = || dimensions.iter().filter(|d| d.points.is_some());
        let weight: f64 = seen().map(|d| d.max).sum();
        if weight <= 0.0 {
            return (None, crate::rubric::UNRATED.to_owned(), Vec::new());
        }
        let points: f64 = seen().filter_map(|d| d.points).sum();
        let mut total = round(100.0 * points / weight);
        let mut held = Vec::new();
        if self.flags.contains(&Flag::AllFunctionalFailed) {
            let bands = &self.rubric.bands;
            let lowest = bands.iter().rev().nth(1).map_or(100.0, |b| b.at);
            if total >= lowest {
                total = lowest - 1.0;
                held.push(format!("{NOTHING_WORKS}: the total stays below {lowest}"));
            }
        }
        let level = self.level(total, dimensions, &mut held);
        (Some(total), level, held)
    }

    fn level(&self, total: f64, dimensions: &[DimensionScore], held: &mut Vec<String>) -> String {
        let bands = &self.rubric.bands;
        let place = bands.iter().position(|b| total >= b.at).unwrap_or(0);
        let obstacle = self.obstacle(dimensions).filter(|_| place == 0);
        let withheld = usize::from(obstacle.is_some());
        held.extend(obstacle);
        bands.get(place + withheld).map_or_else(String::new, |b| b.level.clone())
    }

    fn obstacle(&self, dimensions: &[DimensionScore]) -> Option<String> {
        for area in &self.rubric.areas {
            let Some(floor) = area.parts.iter().find_map(|p| p.at_least) else { continue };
            let reached = dimensions
                .iter()
                .find(|d| d.dimension.id() == area.id)
                .and_then(|d| d.points)
                .is_some_and(|points| 100.0 * points / area.weight >= floor);
            if !reached {
                let needed = floor * area.weight / 100.0;
                return Some(format!("{} is below {needed} points", area.id));
            }
        }
        self.flags.first().map(|flag| flag.says().to_owned())
    }
}

/// One digit, as scores are shown.
pub(super) fn round(number: f64) -> f64 {
    (number * 10.0 + 1e-6).round() / 10.0
}

/// Where a rate lies that was seen in so many cases (Wilson, 95 %).
fn wilson(rate: f64, cases: u64) -> [f64; 2] {
    const Z: f64 = 1.96;
    let (p, n) = (rate / 100.0, cases.max(1) as f64);
    let middle = p + Z * Z / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [(middle - spread) / scale, (middle + spread) / scale].map(|end| 100.0 * end.clamp(0.0, 1.0))
}
