//! Breaks one parameter of a call that works, at a time and in every way that its schema forbids.

mod broken;
mod spot;

use std::fmt;

use serde_json::Value;

use crate::arguments::Checker;
use crate::evidence::{Evidence, Profile, Tool};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::valid_call;
use crate::seed::Seed;

use broken::Broken;

/// A way in which arguments are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    MissingRequired,
    WrongType,
    /// A number or a boolean, written as text: wrong, and what lenient servers put right.
    AsText,
    Null,
    ExtraParameter,
    OutOfEnum,
    OutOfRange,
    PatternViolated,
    Empty,
    /// Advisory: validators need not look at formats.
    InvalidFormat,
    /// 16 KiB of text, which no schema need forbid: it must only do no harm.
    Oversized,
}

/// How many calls of a kind a tool gets, in a quick, a standard and a deep run: 2, 20 and plenty.
type Most = [usize; 3];

impl Kind {
    pub const ALL: &'static [Kind] = &[
        Kind::MissingRequired,
        Kind::WrongType,
        Kind::AsText,
        Kind::Null,
        Kind::ExtraParameter,
        Kind::OutOfEnum,
        Kind::OutOfRange,
        Kind::PatternViolated,
        Kind::Empty,
        Kind::InvalidFormat,
        Kind::Oversized,
    ];

    pub fn probe(self) -> &'static Probe {
        match self {
            Kind::MissingRequired => &MISSING_REQUIRED,
            Kind::WrongType => &WRONG_TYPE,
            Kind::AsText => &AS_TEXT,
            Kind::Null => &NULL,
            Kind::ExtraParameter => &EXTRA_PARAMETER,
            Kind::OutOfEnum => &OUT_OF_ENUM,
            Kind::OutOfRange => &OUT_OF_RANGE,
            Kind::PatternViolated => &PATTERN_VIOLATED,
            Kind::Empty => &EMPTY,
            Kind::InvalidFormat => &INVALID_FORMAT,
            Kind::Oversized => &OVERSIZED,
        }
    }

    /// The kind that a probe stands for.
    pub fn of(probe: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.probe().id == probe)
    }

    fn most(self, profile: Profile) -> usize {
        let most: Most = match self {
            Kind::MissingRequired | Kind::WrongType => [1, 4, 20],
            Kind::OutOfEnum | Kind::OutOfRange | Kind::Null => [0, 2, 12],
            Kind::AsText
            | Kind::ExtraParameter
            | Kind::PatternViolated
            | Kind::Empty
            | Kind::InvalidFormat
            | Kind::Oversized => [0, 1, 6],
        };
        match profile {
            Profile::Quick => most[0],
            Profile::Standard => most[1],
            Profile::Deep => most[2],
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::MissingRequired => "a missing parameter",
            Kind::WrongType => "a wrong type",
            Kind::AsText => "text for a number or boolean",
            Kind::Null => "null",
            Kind::ExtraParameter => "an extra parameter",
            Kind::OutOfEnum => "a value that is no option",
            Kind::OutOfRange => "a value out of range",
            Kind::PatternViolated => "a value against the pattern",
            Kind::Empty => "an empty value",
            Kind::InvalidFormat => "a value in another format",
            Kind::Oversized => "a text of 16 KiB",
        })
    }
}

const fn probe(id: &'static str, plan: fn(&Evidence, Seed) -> Vec<Call>) -> Probe {
    Probe { id, hostile: false, lane: Lane::Shared, plan }
}

pub const MISSING_REQUIRED: Probe =
    probe("missing-required", |e, _| plan(Kind::MissingRequired, e));
pub const WRONG_TYPE: Probe = probe("wrong-type", |e, _| plan(Kind::WrongType, e));
pub const AS_TEXT: Probe = probe("as-text", |e, _| plan(Kind::AsText, e));
pub const NULL: Probe = probe("null", |e, _| plan(Kind::Null, e));
pub const EXTRA_PARAMETER: Probe = probe("extra-parameter", |e, _| plan(Kind::ExtraParameter, e));
pub const OUT_OF_ENUM: Probe = probe("out-of-enum", |e, _| plan(Kind::OutOfEnum, e));
pub const OUT_OF_RANGE: Probe = probe("out-of-range", |e, _| plan(Kind::OutOfRange, e));
pub const PATTERN_VIOLATED: Probe =
    probe("pattern-violated", |e, _| plan(Kind::PatternViolated, e));
pub const EMPTY: Probe = probe("empty", |e, _| plan(Kind::Empty, e));
pub const INVALID_FORMAT: Probe = probe("invalid-format", |e, _| plan(Kind::InvalidFormat, e));
pub const OVERSIZED: Probe = probe("oversized", |e, _| plan(Kind::Oversized, e));

/// For the `needs` of checks that read all of them.
pub const PROBES: &[&Probe] = &[
    &valid_call::PROBE,
    &MISSING_REQUIRED,
    &WRONG_TYPE,
    &AS_TEXT,
    &NULL,
    &EXTRA_PARAMETER,
    &OUT_OF_ENUM,
    &OUT_OF_RANGE,
    &PATTERN_VIOLATED,
    &EMPTY,
    &INVALID_FORMAT,
    &OVERSIZED,
];

fn plan(kind: Kind, evidence: &Evidence) -> Vec<Call> {
    let most = kind.most(evidence.conditions.profile);
    let fresh = evidence
        .tools()
        .filter(|tool| evidence.of_tool(kind.probe().id, &tool.name).next().is_none());
    fresh.flat_map(|tool| calls(kind, evidence, tool, most)).collect()
}

fn calls(kind: Kind, evidence: &Evidence, tool: &Tool, most: usize) -> Vec<Call> {
    let Some(base) = base(evidence, tool) else { return Vec::new() };
    if kind == Kind::Oversized && is_spared(evidence, tool) {
        return Vec::new();
    }
    // Formats are advisory: what breaks a format alone is no wrong input.
    let Some(checker) = Checker::without_formats(&tool.input_schema) else { return Vec::new() };
    if !checker.allows(base) {
        return Vec::new();
    }
    let spots = spot::all(&tool.input_schema, base);
    let mut found: Vec<Broken> =
        spots.iter().flat_map(|spot| broken::all(kind, spot, base, &checker)).collect();
    sample(&mut found, most, evidence.conditions.seed.part(&tool.name));
    found
        .into_iter()
        .map(|b| Call::tool(&tool.name, b.label, b.arguments).about(&b.pointer))
        .collect()
}

/// The arguments to break: those that worked, or at least those that should have.
fn base<'a>(evidence: &'a Evidence, tool: &'a Tool) -> Option<&'a Value> {
    let typical = valid_call::typical(evidence, &tool.name)?;
    // Planned, and not made yet.
    if typical.reply.is_pending() {
        return None;
    }
    valid_call::working(evidence, &tool.name).unwrap_or(typical).arguments()
}

/// What is kept comes back in every listing that follows.
fn is_spared(evidence: &Evidence, tool: &Tool) -> bool {
    match evidence.conditions.profile {
        Profile::Quick | Profile::Standard => evidence.risk_of(&tool.name) != Risk::Reads,
        Profile::Deep => evidence.risk_of(&tool.name) == Risk::Destroys,
    }
}

/// At most so many: the first, which is required if any is, and others by lot.
fn sample(found: &mut Vec<Broken>, most: usize, seed: Seed) {
    if found.len() > most
        && let Some((_, rest)) = found.split_first_mut()
    {
        rest.sort_by_key(|b| seed.number(&format!("{} {}", b.pointer, b.label)));
    }
    found.truncate(most);
}

#[cfg(test)]
mod tests;
