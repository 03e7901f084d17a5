//! Which cases a model is asked about, and what it gets to see of them.

use crate::check::Confidence;
use crate::dimensions::case::{Case, Said};
use crate::dimensions::category::Category;
use crate::dimensions::opinion::Mode;
use crate::dimensions::verdict::{Standing, Verdict};
use crate::dimensions::words;

/// One case, cut to what a model needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Of the whole case, so that an answer is never taken for another one.
    pub id: String,
    pub category: Category,
    pub tool: String,
    pub name: String,
    pub purpose: String,
    pub arguments: String,
    pub said: String,
    pub is_error: bool,
}

/// A long answer must never make a server too large to judge.
const LONGEST: usize = 800;

/// The questions of this mode. Lost calls ask nothing, what is proven is not put to the vote, and a
/// text that addresses its judge is left to the rules.
pub fn questions(cases: &[Case], verdicts: &[Verdict], mode: Mode) -> Vec<Question> {
    let wanted = |v: &Verdict| match mode {
        Mode::Audit => v.confidence == Confidence::Low,
        Mode::Full | Mode::SecondOpinion => true,
    };
    let settled = |s: Standing| matches!(s, Standing::Lost | Standing::Breach | Standing::TimedOut);
    cases
        .iter()
        .zip(verdicts)
        .filter(|(case, v)| wanted(v) && !settled(v.standing) && !steers(case))
        .map(|(case, v)| Question::of(case, v.category))
        .collect()
}

impl Question {
    /// The name under which answers about a case are kept.
    pub fn key(case: &Case) -> String {
        id(case)
    }

    pub fn of(case: &Case, category: Category) -> Question {
        Question {
            id: id(case),
            category,
            tool: cut(&case.tool),
            name: cut(&case.name),
            purpose: cut(&case.purpose),
            arguments: cut(&case.arguments.to_string()),
            said: cut(case.said.text()),
            is_error: matches!(case.said, Said::Error(_)),
        }
    }
}

/// The answers to a case are kept under this name.
pub(in crate::dimensions) fn id(case: &Case) -> String {
    let channel = match case.said {
        Said::Result(_) => "result",
        Said::Error(_) => "error",
    };
    let arguments = case.arguments.to_string();
    let parts = [&case.tool, &case.name, &case.purpose, &arguments, channel, case.said.text()];
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(24).collect()
}

/// Whether the case holds words meant for whoever judges it.
pub(in crate::dimensions) fn steers(case: &Case) -> bool {
    let texts = [case.said.text(), &case.name, &case.purpose, &case.tool];
    texts.into_iter().any(|text| words::ADDRESSES_JUDGE.are_in(text))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} […]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
