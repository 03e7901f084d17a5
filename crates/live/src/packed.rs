//! Placeholders within texts that are packed: in Base64, or encoded for an address.

use proofmark_core::arguments::{Wrap, decoded};
use proofmark_core::percent::{self, PART};
use serde_json::Value;

/// What all our placeholders have.
const MARK: &str = "proofmark";

/// Replaces placeholders everywhere in a value, by what replaces them in a plain text.
pub(crate) fn reveal(value: &mut Value, real: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => {
            if let Some(revealed) = of_text(text, real) {
                *text = revealed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|v| reveal(v, real)),
        Value::Object(map) => map.values_mut().for_each(|v| reveal(v, real)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn of_text(text: &str, real: &impl Fn(&str) -> String) -> Option<String> {
    if let Some(inner) = decoded(text).filter(|inner| inner.contains(MARK)) {
        return Wrap::Base64.packed(text, &real(&inner));
    }
    let encoded = text.contains('%') && text.contains(MARK);
    encoded.then(|| {
        let runs = text.split_inclusive(|c: char| !is_part(c));
        runs.map(|run| of_run(run, real)).collect()
    })
}

/// Whether a character stands for itself, or begins one that does not, in a part of an address.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~%".contains(c)
}

fn of_run(run: &str, real: &impl Fn(&str) -> String) -> String {
    let end = run.find(|c: char| !is_part(c)).unwrap_or(run.len());
    let (part, rest) = run.split_at(end);
    if !(part.contains('%') && part.contains(MARK)) {
        return run.to_owned();
    }
    let plain = percent::decoded(part);
    let revealed = real(&plain);
    if revealed == plain {
        run.to_owned()
    } else {
        format!("{}{rest}", percent::encoded(&revealed, PART))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn placeholders_are_replaced_in_base64_and_in_addresses() {
        let real = |text: &str| text.replace("/proofmark/outside", "/tmp/x/outside");
        let packed = Wrap::Base64.packed("", "see /proofmark/outside/a.txt");
        let mut value = json!({
            "name": packed, "uri": "guide://files/%2Fproofmark%2Foutside%2Fa.txt", "other": "50%"
        });
        reveal(&mut value, &real);
        assert_eq!(decoded(value["name"].as_str().unwrap()).unwrap(), "see /tmp/x/outside/a.txt");
        assert_eq!(value["uri"], "guide://files/%2Ftmp%2Fx%2Foutside%2Fa.txt");
        assert_eq!(value["other"], "50%");
    }
}
