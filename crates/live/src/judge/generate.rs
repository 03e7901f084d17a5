//! Test cases written by a model, tool by tool.

use futures_util::{StreamExt, stream};
use proofmark_core::dimensions::ask::{GeneratedCase, generated, generation_prompt};
use proofmark_core::evidence::Tool;

use super::budget::{Purse, Terms};
use super::service::{Letter, Service};

/// The usable cases for these tools, and what was not used or not answered, and why.
pub async fn generate(
    service: &Service,
    tools: &[Tool],
    each: usize,
    terms: &Terms,
) -> (Vec<GeneratedCase>, Vec<String>) {
    let purse = Purse::new(terms);
    let purse = &purse;
    let of_tools: Vec<(Vec<GeneratedCase>, Vec<String>)> = stream::iter(tools)
        .map(|tool| async move {
            let (system, user, schema) = generation_prompt(tool, each);
            let sent = (system.chars().count() + user.chars().count()) as u64 / 3;
            let letter = Letter {
                system: &system,
                user: &user,
                schema: &schema,
                tokens: (sent, 120 * each as u64),
            };
            match service.send(letter, terms, purse).await.said.text {
                Ok(text) => generated(tool, &text, each),
                Err(fault) => (Vec::new(), vec![format!("{}: {fault}", tool.name)]),
            }
        })
        .buffered(terms.concurrency.max(1))
        .collect()
        .await;
    let (cases, notes): (Vec<_>, Vec<_>) = of_tools.into_iter().unzip();
    (cases.concat(), notes.concat())
}
