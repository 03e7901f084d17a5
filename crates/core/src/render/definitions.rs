//! Better definitions as JSON to copy, each with what it sees to.

use std::fmt::Write;

use crate::suggest::Suggestion;

/// Empty when nothing was suggested.
pub fn definitions(suggestions: &[Suggestion]) -> String {
    let mut text = String::new();
    for suggestion in suggestions {
        let json = serde_json::to_string_pretty(&suggestion.definition).unwrap_or_default();
        let because = suggestion.because.join("; ");
        // Writing to a string never fails.
        let _ = write!(text, "\n{}, better: {because}\n{json}\n", suggestion.tool);
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_definition_stands_below_its_reasons() {
        let definition = json!({"name": "a"});
        let because = vec!["a title".to_owned(), "hints".to_owned()];
        let one = Suggestion { tool: "a".to_owned(), because, definition };
        assert_eq!(definitions(&[one]), "\na, better: a title; hints\n{\n  \"name\": \"a\"\n}\n");
        assert_eq!(definitions(&[]), "");
    }
}
