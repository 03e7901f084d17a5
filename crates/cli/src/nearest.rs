//! The nearest known word to one that is not known.

/// Nearer than half of its letters changed, or nothing: a wild guess helps nobody.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let last = |w: &str| w.rsplit('/').next().unwrap_or_default().to_owned();
    known
        .into_iter()
        .map(|k| {
            // `unknown-tool` should find `errors/unknown-tool`.
            let whole = strsim::normalized_damerau_levenshtein(&lower, &k.to_lowercase());
            let tail = strsim::normalized_damerau_levenshtein(&last(&lower), &last(k)) - 0.1;
            (whole.max(tail), k)
        })
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))
        .map(|(_, k)| k)
}

/// ` (did you mean `x`?)`, or nothing.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map(|k| format!(" (did you mean `{k}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_nothing() {
        let known = ["errors/unknown-tool", "errors/wrong-type", "usability"];
        assert_eq!(nearest("errors/unkown-tool", known), Some("errors/unknown-tool"));
        assert_eq!(nearest("unknown-tool", known), Some("errors/unknown-tool"));
        assert_eq!(nearest("useability", known), Some("usability"));
        assert_eq!(nearest("xyzzy", known), None);
    }
}
