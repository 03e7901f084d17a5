//! What tool definitions and answers cost a model. Counted while gathering, so that judging needs no tokenizer.

use std::collections::BTreeMap;

use proofmark_core::evidence::{Evidence, Tool};
use proofmark_core::report::is_benign_answer;
use serde_json::json;
use tiktoken_rs::o200k_base_singleton;

/// Beyond this the rest is estimated: nobody sends a definition so large, and counting takes time.
const LONGEST: usize = 1 << 20;
/// Answers beyond this in all are not counted.
const ANSWERS: usize = 4 << 20;

/// The vocabulary takes a moment to load; better while the server starts than afterwards.
pub(crate) fn load() {
    o200k_base_singleton();
}

/// Clients send name, description and input schema of every tool with each request.
pub(crate) fn count(tools: &mut [Tool]) {
    for tool in tools {
        let told = json!({
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
        });
        tool.tokens = Some(of(&told.to_string()));
    }
}

/// Answers to ordinary calls, as a client hands them to its model.
pub(crate) fn count_answers(evidence: &mut Evidence) {
    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    let mut read = 0;
    for x in evidence.transcript.iter().filter(|x| is_benign_answer(x)) {
        let Some(text) = x.result().map(ToString::to_string) else { continue };
        if !counted.contains_key(&text) {
            read += text.len();
        }
        if read > ANSWERS {
            break;
        }
        let tokens = *counted.entry(text).or_insert_with_key(|text| of(text));
        evidence.answer_tokens.insert(x.id, tokens);
    }
}

fn of(text: &str) -> u32 {
    let head = &text[..text.floor_char_boundary(LONGEST)];
    let counted = o200k_base_singleton().encode_ordinary(head).len();
    let scaled = if head.len() < text.len() {
        counted.saturating_mul(text.len() / LONGEST + 1)
    } else {
        counted
    };
    u32::try_from(scaled).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_vocabulary_and_not_of_a_rule_of_thumb() {
        assert_eq!(of("hello world"), 2);
        assert_eq!(of(""), 0);
        let tool =
            json!({"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}});
        let mut tools = vec![Tool::from_raw(&tool).unwrap()];
        count(&mut tools);
        assert!((10..30).contains(&tools[0].tokens.unwrap()), "{:?}", tools[0].tokens);
    }
}
