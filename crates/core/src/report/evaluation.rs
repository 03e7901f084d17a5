//! The five-dimension evaluation of the calls of a run, as the report tells it. What depends on the
//! clock (performance, and with it the total) is among the timings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::dimensions::ask::Fault;
use crate::dimensions::{
    CaseVerdict, Category, Dimension, DimensionScore, Evaluation, Flag, JudgedBy, Opinion, Profile,
    Recording, Standing,
};
use crate::evidence::Evidence;

/// Four dimensions, the verdicts behind them, and who gave these.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvaluationReport {
    /// Which bands turned rates into points.
    pub bands: Profile,
    pub flags: Vec<Flag>,
    /// All but performance.
    pub dimensions: Vec<DimensionReport>,
    /// Cases by what became of them.
    pub verdicts: BTreeMap<Standing, usize>,
    pub judged_by: JudgedBy,
    /// The cases a model was asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<OpinionReport>,
}

/// The points of one dimension.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DimensionReport {
    pub dimension: Dimension,
    /// `None` when no case tells of it.
    pub points: Option<f64>,
    pub max: f64,
    /// The rate behind the points, 0 to 100.
    pub rate: Option<f64>,
    /// Where the points could lie, had more cases been seen (95 %).
    pub interval: Option<[f64; 2]>,
    pub cases: u64,
    pub rationale: String,
    /// Why the points are held below what the rate gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    pub recommendations: Vec<String>,
}

/// What the rules and a model say of one case.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OpinionReport {
    pub tool: String,
    pub case: String,
    pub category: Category,
    /// What the rules say.
    pub standing: Standing,
    pub why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
    /// Why there is no usable answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ungraded: Option<Fault>,
}

/// What the evaluation comes to with the times of this run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvaluationTimings {
    pub performance: DimensionReport,
    /// Of all five dimensions, out of 100.
    pub total: Option<f64>,
    pub level: String,
    /// Why the total or its level is held down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<String>,
}

/// `None` when no tool was called.
pub(super) fn evaluation(evidence: &Evidence) -> Option<(EvaluationReport, EvaluationTimings)> {
    let recording = Recording::of_evidence(evidence);
    if recording.cases.is_empty() {
        return None;
    }
    let answers = evidence.answers.as_ref();
    let judged = Evaluation::with_answers(&recording, Profile::Seed, answers).ok()?;
    let mut verdicts = BTreeMap::new();
    for case in &judged.cases {
        *verdicts.entry(case.standing).or_default() += 1;
    }
    let (timed, dimensions): (Vec<_>, Vec<_>) = judged
        .dimensions
        .into_iter()
        .map(DimensionReport::of)
        .partition(|d| d.dimension == Dimension::Performance);
    let timings = EvaluationTimings {
        performance: timed.into_iter().next()?,
        total: judged.total,
        level: judged.level,
        held: judged.held,
    };
    let report = EvaluationReport {
        bands: judged.bands,
        flags: judged.flags,
        dimensions,
        verdicts,
        judged_by: judged.judged_by,
        opinions: judged.cases.into_iter().filter_map(OpinionReport::of).collect(),
    };
    Some((report, timings))
}

impl DimensionReport {
    fn of(score: DimensionScore) -> DimensionReport {
        DimensionReport {
            dimension: score.dimension,
            points: score.points,
            max: score.max,
            rate: score.rate,
            interval: score.interval,
            cases: score.cases,
            rationale: score.rationale,
            held: score.held,
            recommendations: score.recommendations,
        }
    }
}

impl OpinionReport {
    /// `None` for a case that was not put to a model.
    fn of(case: CaseVerdict) -> Option<OpinionReport> {
        (case.opinion.is_some() || case.ungraded.is_some()).then_some(OpinionReport {
            tool: case.tool,
            case: case.case,
            category: case.category,
            standing: case.standing,
            why: case.why,
            opinion: case.opinion,
            ungraded: case.ungraded,
        })
    }
}
