//! The answers of a model laid beside the verdicts of the rules.

use super::ask::{AnswerBook, Recorded, question_id, steers};
use super::case::Case;
use super::opinion::{JudgedBy, Mode, Opinion};
use super::verdict::{Standing, Verdict, Word};
use crate::check::Confidence;

/// Lets the word of a model count where its mode says so. What was not asked, what addresses its
/// judge and what is proven stays with the rules.
pub(super) fn vote(cases: &[Case], verdicts: &mut [Verdict], book: &AnswerBook) -> JudgedBy {
    let counts = match book.mode {
        Mode::Audit | Mode::Full => true,
        Mode::SecondOpinion => false,
    };
    let mut by = JudgedBy {
        model: Some(book.model.clone()),
        mode: Some(book.mode),
        spent: Some(book.spent()),
        ..JudgedBy::default()
    };
    for (case, verdict) in cases.iter().zip(verdicts.iter_mut()) {
        let proven = matches!(verdict.standing, Standing::Breach | Standing::Lost);
        let recorded = book.answers.get(&question_id(case));
        let Some(recorded) = recorded.filter(|_| !proven && !steers(case)) else {
            by.leave_to_rules(case, verdict);
            continue;
        };
        by.asked += 1;
        let word = match recorded {
            Recorded::Ungraded { fault, .. } => {
                by.ungraded += 1;
                *by.faults.entry(*fault).or_default() += 1;
                Word::Ungraded(*fault)
            }
            Recorded::Answered { answer, help, because, .. } => {
                let agrees = !answer.contradicts(verdict.standing.answer());
                by.parted += usize::from(!agrees);
                let because = because.clone();
                verdict.opinion = Some(Opinion { answer: *answer, help: *help, because, agrees });
                Word::Model { answer: *answer, help: *help }
            }
        };
        match counts {
            true => verdict.word = word,
            false => by.leave_to_rules(case, verdict),
        }
    }
    by
}

pub(super) fn rules_alone(cases: &[Case], verdicts: &[Verdict]) -> JudgedBy {
    let mut by = JudgedBy::default();
    cases.iter().zip(verdicts).for_each(|(case, verdict)| by.leave_to_rules(case, verdict));
    by
}

impl JudgedBy {
    fn leave_to_rules(&mut self, case: &Case, verdict: &Verdict) {
        let unsure = usize::from(verdict.confidence == Confidence::Low);
        self.by_rules += 1;
        self.unsure += unsure;
        let of_tool = self.left.entry(case.tool.clone()).or_default();
        let left = of_tool.entry(verdict.category).or_default();
        left.cases += 1;
        left.unsure += unsure;
    }
}
