//! Asking about the cases of a run: estimate, prompts beside each other, answers into the book.

use futures_util::{StreamExt, stream};
use proofmark_core::dimensions::ask::{
    AnswerBook, Answers, Fault, Prompt, PromptRecord, Reading, Recorded, prompts, questions, read,
};
use proofmark_core::dimensions::{Mode, Recording, judge};

use super::budget::{Purse, Terms};
use super::service::{Letter, Service};

/// What asking would take, before anything is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    pub cases: usize,
    pub prompts: usize,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub dollars: Option<f64>,
}

/// What asking about this run would take.
pub fn estimate(recording: &Recording, mode: Mode, terms: &Terms) -> Estimate {
    let prompts = planned(recording, mode, terms);
    let (tokens_in, tokens_out) = prompts
        .iter()
        .map(Prompt::tokens)
        .fold((0, 0), |(sent, got), (more, back)| (sent + more, got + back));
    Estimate {
        cases: prompts.iter().map(|p| p.cases.iter().flatten().count()).sum(),
        prompts: prompts.len(),
        tokens_in,
        tokens_out,
        dollars: terms.cost(tokens_in, tokens_out),
    }
}

/// Asks, and keeps every answer or why there is none.
pub async fn ask(
    service: &Service,
    recording: &Recording,
    mode: Mode,
    terms: &Terms,
) -> AnswerBook {
    let prompts = planned(recording, mode, terms);
    let purse = Purse::new(terms);
    // In the order of the prompts, whichever is answered first.
    let kept: Vec<(PromptRecord, Vec<(String, Recorded)>)> = stream::iter(&prompts)
        .map(|prompt| answered(service, prompt, terms, &purse))
        .buffered(terms.concurrency.max(1))
        .collect()
        .await;
    let mut book = AnswerBook::new(service.name(), mode);
    for (record, answers) in kept {
        if record.attempts > 0 {
            book.prompts.push(record);
        }
        book.answers.extend(answers);
    }
    book
}

fn planned(recording: &Recording, mode: Mode, terms: &Terms) -> Vec<Prompt> {
    let cases = recording.in_order();
    let mut asked = questions(&cases, &judge(&cases), mode);
    // The same case recorded twice is asked once.
    let mut seen = std::collections::BTreeSet::new();
    asked.retain(|question| seen.insert(question.id.clone()));
    prompts(&asked, terms.batch)
}

async fn answered(
    service: &Service,
    prompt: &Prompt,
    terms: &Terms,
    purse: &Purse<'_>,
) -> (PromptRecord, Vec<(String, Recorded)>) {
    let letter = Letter {
        system: &prompt.system,
        user: &prompt.user,
        schema: &prompt.schema,
        tokens: prompt.tokens(),
    };
    let mut record = PromptRecord {
        hash: prompt.hash.clone(),
        tokens_in: 0,
        tokens_out: 0,
        cost: None,
        attempts: 0,
    };
    let mut answers = Answers::new();
    // What can't be read is asked for once more; models that do not keep to a schema often do then.
    for _ in 0..2 {
        let outcome = service.send(letter, terms, purse).await;
        record.attempts += outcome.attempts;
        record.tokens_in += outcome.said.tokens_in;
        record.tokens_out += outcome.said.tokens_out;
        let (fault, found) = match &outcome.said.text {
            Ok(text) => (None, read(prompt, text)),
            Err(fault) => (Some(*fault), none(prompt, *fault)),
        };
        // A spent budget must not hide what was wrong with the first answer.
        if answers.is_empty() || fault != Some(Fault::Budget) {
            answers = found;
        }
        let unreadable = answers.iter().any(|(_, a)| matches!(a, Err(Fault::Malformed)));
        if !unreadable || fault == Some(Fault::Budget) {
            break;
        }
    }
    record.cost = terms.cost(record.tokens_in, record.tokens_out);
    let kept = answers.into_iter().map(|(id, answer)| {
        let prompt = prompt.hash.clone();
        let recorded = match answer {
            Ok(Reading { answer, help, because }) => {
                Recorded::Answered { answer, help, because, prompt }
            }
            Err(fault) => Recorded::Ungraded { fault, prompt },
        };
        (id, recorded)
    });
    (record, kept.collect())
}

fn none(prompt: &Prompt, fault: Fault) -> Answers {
    prompt.cases.iter().flatten().map(|id| (id.clone(), Err(fault))).collect()
}
