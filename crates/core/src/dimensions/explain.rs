//! Why a dimension got its points: the numbers in words, cases that show it, and what to do.

use std::collections::{BTreeMap, BTreeSet};

use super::category::Category;
use super::credit::Credit;
use super::dimension::{Dimension, DimensionScore, Example};
use super::evaluation::Judged;
use super::outcome::Outcome;
use super::reason::Reason;
use super::verdict::{Standing, Verdict};
use crate::response::quote;

pub(super) fn explain(score: &mut DimensionScore, judged: &Judged) {
    let counts = Counts::of(judged.verdicts);
    let dimension = score.dimension;
    score.rationale = match (dimension, score.rate) {
        (_, None) => "no case tells of it".to_owned(),
        (Dimension::Functionality, Some(_)) => counts.functionality(),
        (Dimension::Robustness, Some(_)) => counts.robustness(),
        (Dimension::Security, Some(_)) => counts.security(),
        (Dimension::Performance, Some(_)) => performance(judged),
        (Dimension::Transparency, Some(_)) => counts.transparency(),
    };
    if dimension == Dimension::Security && judged.flags.iter().any(|f| f.is_hole()) {
        score.held = Some("a serious hole keeps the dimension below 12 points".to_owned());
    }
    score.examples = examples(dimension, judged);
    score.recommendations = recommendations(dimension, &counts);
}

/// How many cases there are of what.
struct Counts<'a> {
    verdicts: &'a [Verdict],
    standings: BTreeMap<Standing, usize>,
    reasons: BTreeMap<Reason, usize>,
}

impl<'a> Counts<'a> {
    fn of(verdicts: &'a [Verdict]) -> Counts<'a> {
        let (mut standings, mut reasons) = (BTreeMap::new(), BTreeMap::new());
        for verdict in verdicts {
            *standings.entry(verdict.standing).or_default() += 1;
            if let Some(told) = &verdict.told {
                *reasons.entry(told.reason).or_default() += 1;
            }
        }
        Counts { verdicts, standings, reasons }
    }

    fn standing(&self, standing: Standing) -> usize {
        self.standings.get(&standing).copied().unwrap_or_default()
    }

    fn reason(&self, reason: Reason) -> usize {
        self.reasons.get(&reason).copied().unwrap_or_default()
    }

    fn number(&self, of: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|v| of(v)).count()
    }

    fn functionality(&self) -> String {
        let functional = |v: &Verdict| v.category == Category::Functional;
        format!(
            "{} of {} functional cases were answered with content, {} with nothing; {} failed, {} \
             of them since what they name is not there{}",
            self.number(|v| functional(v) && v.outcome == Outcome::Answered),
            self.number(|v| functional(v) && v.outcome != Outcome::Lost),
            self.standing(Standing::Empty),
            self.number(|v| functional(v) && !v.outcome.is_answer() && v.outcome != Outcome::Lost),
            self.standing(Standing::Unmet),
            self.lost(functional),
        )
    }

    fn robustness(&self) -> String {
        format!(
            "of {} calls that failed, {} say what is wrong, {} say what is not there, {} give no \
             reason and {} show the code falling over; bad input was taken {} times{}",
            self.number(|v| v.told.is_some()),
            self.reason(Reason::Refused),
            self.reason(Reason::Absent),
            self.reason(Reason::Silent),
            self.reason(Reason::Bug),
            self.standing(Standing::Accepted),
            self.lost(|_| true),
        )
    }

    fn security(&self) -> String {
        format!(
            "of {} attacks, turned away: {}, taken for plain data: {}, done as asked: {}, got \
             through: {}; refusals that show nothing, since ordinary calls get the same: {}{}",
            self.number(|v| v.category == Category::Security && v.outcome != Outcome::Lost),
            self.standing(Standing::Blocked),
            self.standing(Standing::Harmless),
            self.standing(Standing::LetThrough),
            self.standing(Standing::Breach),
            self.number(|v| v.hostile && v.standing == Standing::Undemonstrated),
            self.lost(|v| v.category == Category::Security),
        )
    }

    /// Calls that say nothing, since there was no server.
    fn lost(&self, of: impl Fn(&Verdict) -> bool) -> String {
        match self.number(|v| v.outcome == Outcome::Lost && of(v)) {
            0 => String::new(),
            1 => "; 1 more call found no server".to_owned(),
            lost => format!("; {lost} more calls found no server"),
        }
    }

    fn transparency(&self) -> String {
        format!(
            "of {} messages, {} say what is wrong or expected, {} are dumps of the framework or the \
             language, {} say nothing; {} are what every failing call of the tool gets",
            self.number(|v| v.told.is_some()),
            self.reason(Reason::Refused),
            self.reason(Reason::Schema) + self.reason(Reason::Bug),
            self.reason(Reason::Silent),
            self.number(|v| v.usual && v.category != Category::Functional),
        )
    }
}

fn performance(judged: &Judged) -> String {
    let mut times: Vec<f64> = judged.cases.iter().map(|c| c.seconds).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * times.len().saturating_sub(1) as f64).round() as usize;
        times.get(place).copied().unwrap_or_default()
    };
    let out = judged.verdicts.iter().filter(|v| v.outcome == Outcome::TimedOut).count();
    format!(
        "half of the calls took up to {}, 95 % up to {}, the longest {}; {out} got no answer in time; a \
         call that failed shows only half of the speed",
        time(at(0.5)),
        time(at(0.95)),
        time(at(1.0))
    )
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "1 ms".to_owned(),
        s if s < 1.0 => format!("{:.0} ms", 1000.0 * s),
        s => format!("{s:.2} s"),
    }
}

/// The worst cases, one of a kind and tool, and the best one beside them.
fn examples(dimension: Dimension, judged: &Judged) -> Vec<Example> {
    const WORST: usize = 3;
    let mut cases: Vec<(Credit, usize)> = judged
        .cases
        .iter()
        .zip(judged.verdicts)
        .enumerate()
        .filter_map(|(n, (case, verdict))| Some((dimension.credit(verdict, case.seconds)?.0, n)))
        .collect();
    cases.sort_unstable();
    let best = cases.iter().rev().find(|(credit, _)| *credit == Credit::FULL).copied();
    let mut kinds = BTreeSet::new();
    cases.retain(|(credit, n)| {
        let kind = judged.cases.get(*n).zip(judged.verdicts.get(*n));
        *credit < Credit::FULL && kind.is_some_and(|(c, v)| kinds.insert((&c.tool, v.standing)))
    });
    cases.truncate(WORST);
    cases.into_iter().chain(best).filter_map(|(_, n)| example(judged, n)).collect()
}

fn example(judged: &Judged, n: usize) -> Option<Example> {
    let (case, verdict) = (judged.cases.get(n)?, judged.verdicts.get(n)?);
    Some(Example {
        tool: case.tool.clone(),
        case: case.name.clone(),
        standing: verdict.standing,
        said: quote(case.said.text()),
    })
}

fn recommendations(dimension: Dimension, counts: &Counts) -> Vec<String> {
    let standing = |s: Standing| counts.standing(s) > 0;
    let reason = |r: Reason| counts.reason(r) > 0;
    let advice: &[(bool, &str)] = match dimension {
        Dimension::Functionality => &[
            (
                standing(Standing::Failed),
                "make the calls that fail work; begin with those that fail without a reason or in the code",
            ),
            (
                reason(Reason::Outside),
                "run the suite again with the keys and the network that the server needs: without them it shows nothing",
            ),
            (
                standing(Standing::Empty),
                "say so when a search finds nothing, instead of answering with nothing",
            ),
        ],
        Dimension::Robustness => &[
            (
                reason(Reason::Bug),
                "check arguments before they are used: exceptions of the language show that nothing did",
            ),
            (
                standing(Standing::Accepted),
                "refuse values that can't be meant, such as negative counts and empty names",
            ),
            (
                standing(Standing::Lost),
                "find out why the session ended; every call after it is lost",
            ),
        ],
        Dimension::Security => &[
            (
                standing(Standing::Breach),
                "resolve every path and refuse those outside of the folder that the server serves",
            ),
            (
                standing(Standing::LetThrough),
                "refuse what an attack asks for in tools that change things: paths, statements, commands",
            ),
            (
                standing(Standing::Undemonstrated),
                "make ordinary calls work first: as long as they fail alike, no refusal shows anything",
            ),
        ],
        Dimension::Performance => &[(
            standing(Standing::TimedOut),
            "bound the time of slow work, and answer with an error before the client gives up",
        )],
        Dimension::Transparency => &[
            (
                reason(Reason::Silent),
                "give every error a reason: what was wrong, with which argument, and what would be right",
            ),
            (
                reason(Reason::Schema),
                "word schema mismatches yourself instead of passing on the framework's dump",
            ),
            (reason(Reason::Bug), "catch exceptions and say what they mean to the caller"),
        ],
    };
    advice.iter().filter(|(applies, _)| *applies).map(|(_, text)| (*text).to_owned()).collect()
}
