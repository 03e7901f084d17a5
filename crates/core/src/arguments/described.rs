//! What a description itself gives: examples, defaults, lists of allowed values.

use std::sync::LazyLock;

use regex::Regex;

use crate::harvest::{Kind, singular};

/// Quoted in any of the usual ways.
const QUOTED: &str = r#"(?:'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”)"#;
/// Unquoted, of one piece.
const BARE: &str = r"([A-Za-z0-9_#+$][A-Za-z0-9_#+$./:%*=@~-]*)";
/// Longer texts are no values.
const LONGEST: usize = 80;

struct Rules {
    quoted: Regex,
    example: Regex,
    json_example: Regex,
    bare_example: Regex,
    named_example: Regex,
    loose_example: Regex,
    formula: Regex,
    default: Regex,
    bare_default: Regex,
    listed: Regex,
    range: Regex,
    word: Regex,
    enumerated: Regex,
}

/// Plain ASCII where it will do: Unicode classes and counted repetitions take long to compile.
static RULES: LazyLock<Option<Rules>> = LazyLock::new(|| {
    let example =
        r"(?i-u:\be\.g\.?|\beg\.|\bfor example|\bfor instance|\bexamples?|\bsuch as|\blike)";
    let bare_example = r"(?i-u:\be\.g\.?|\beg\.?|\bexamples?:|\bfor example|\bfor instance)";
    // What follows these may as well be words of the sentence: only what is no plain word counts.
    let loose_example = r"(?i-u:\bsuch as|\blike|\blooks? like|\bnamely)";
    let bare = format!(r"(?-u:\s*[:,]?\s*){BARE}(?-u:[),;.\n]|$|\s*(?:or|and)\s)");
    let default = r"(?i-u:\bdefaults?(?:\s+(?:value|is|to|are))*\s*[:=]?\s*)";
    let listed = r"(?i-u:\b(?:one of|(?:allowed|possible|valid|supported|accepted|available)(?: values?| options?)?|options?|choices|values?|either)(?:\s+(?:are|is|include))?\s*[:=(]?\s*)";
    let item = r"['\x22`]?[A-Za-z0-9_.+-]+['\x22`]?";
    let comma = r"(?i-u:\s*(?:,\s*or\s+|,\s*and\s+|,|\||/|\s+or\s+)\s*)";
    Some(Rules {
        quoted: Regex::new(QUOTED).ok()?,
        example: Regex::new(&format!(r"{example}(?-u:\s*[:,]?\s*[(\[]?\s*){QUOTED}")).ok()?,
        json_example: Regex::new(&format!(
            r"{example}(?-u:\s*[:,]?\s*)(\{{[^{{}}\n]*\}}|\[[^\[\]\n]*\])"
        ))
        .ok()?,
        bare_example: Regex::new(&format!("{bare_example}{bare}")).ok()?,
        named_example: Regex::new(&format!(
            r"{bare_example}(?-u:\s*[:,]?\s*)([A-Z][A-Za-z'-]*(?: [A-Z][A-Za-z'-]*)+)(?-u:[),;.\n]|$)"
        ))
        .ok()?,
        // With an operator between spaces: "amount > 1000 and 'invoice' in text".
        formula: Regex::new(&format!(
            r"{bare_example}(?-u:\s*[:,]?\s*)([\w.'(\x22][^;\n]*? (?:[<>=!]=?|[*+/-]|==) [^;\n]*?)(?-u:[;\n]|\.(?:\s|$)|$)"
        ))
        .ok()?,
        loose_example: Regex::new(&format!("{loose_example}{bare}")).ok()?,
        default: Regex::new(&format!("{default}{QUOTED}")).ok()?,
        bare_default: Regex::new(&format!(r"{default}{BARE}((?-u:[),;.\s]|$))")).ok()?,
        listed: Regex::new(&format!(r"{listed}(?-u:[(\[{{]?)((?:{item}{comma})+{item})")).ok()?,
        range: Regex::new(
            r"(?i-u:between|from|range:?|\()(?-u:\s*)(-?[0-9]+(?:\.[0-9]+)?)(?-u:\s*)(?:and|to|-|–)(?-u:\s*)(-?[0-9]+(?:\.[0-9]+)?)",
        )
        .ok()?,
        enumerated: Regex::new(&format!(r"[:(](?-u:\s*)((?:{item}{comma})+{item})(?-u:[).]|$)"))
            .ok()?,
        word: Regex::new(r#"['"`]([A-Za-z](?:[A-Za-z0-9_./-]*[A-Za-z0-9_])?)['"`]"#).ok()?,
    })
});

/// Texts that the description names, best first. Loose mentions of several quoted words count as
/// options only where nothing else is known.
pub(super) fn texts(about: &str, loosely: bool) -> Vec<String> {
    let Some(rules) = RULES.as_ref() else { return Vec::new() };
    let listed = rules.listed(about);
    let default = rules.default_in(about);
    let (in_list, alone): (Vec<String>, Vec<String>) =
        default.into_iter().partition(|d| listed.contains(d));
    let mut found = in_list;
    found.extend(rules.examples(about, loosely));
    found.extend(alone);
    found.extend(listed);
    found.extend(only_values(about));
    if loosely {
        found.extend(rules.mentioned(about));
    }
    found
}

/// "ana or ben" says nothing but which values there are; "name or id" says what sort they are of.
fn only_values(about: &str) -> Vec<String> {
    const SORTS: &[&str] = &[
        "address", "alias", "array", "code", "date", "email", "false", "folder", "ip", "isbn",
        "list", "login", "none", "null", "number", "object", "phone", "query", "string", "term",
        "text", "true", "url", "user", "value", "word",
    ];
    let is_sort = |word: &str| {
        let word = singular(&word.to_lowercase());
        SORTS.contains(&word.as_str()) || Kind::of_word(&word).is_some()
    };
    let about = about.trim().trim_end_matches('.');
    let parts = items(about);
    let single = |part: &String| !part.contains(char::is_whitespace) && !is_sort(part);
    let closed = about.contains(" or ") && parts.len() >= 2;
    if closed && parts.iter().all(single) { parts } else { Vec::new() }
}

/// Names that are listed after a colon or in brackets: "a page: one.txt or two.txt".
pub(crate) fn enumerated(about: &str) -> Vec<String> {
    let found = RULES.as_ref().and_then(|r| Some(r.enumerated.captures(about)?.get(1)?.as_str()));
    found.map(items).unwrap_or_default()
}

/// A number that the description names as default or example.
pub(super) fn number(about: &str) -> Option<f64> {
    texts(about, false).iter().find_map(|t| t.parse().ok()).filter(|n: &f64| n.is_finite())
}

/// The values of a list that the description announces as closed.
pub fn listed_values(about: &str) -> Vec<String> {
    RULES.as_ref().map(|rules| rules.listed(about)).unwrap_or_default()
}

/// The first example that the description gives.
pub fn told_example(about: &str) -> Option<String> {
    RULES.as_ref()?.examples(about, true).into_iter().next()
}

/// The default that the description names.
pub fn told_default(about: &str) -> Option<String> {
    RULES.as_ref()?.default_in(about)
}

/// Bounds that only the description names.
pub fn range(about: &str) -> Option<(f64, f64)> {
    let found = RULES.as_ref()?.range.captures(about)?;
    let at = |i: usize| found.get(i).and_then(|m| m.as_str().parse::<f64>().ok());
    let (low, high) = (at(1)?, at(2)?);
    (low < high).then_some((low, high))
}

/// The default of a switch.
pub(super) fn switch(about: &str) -> Option<bool> {
    RULES.as_ref()?.default_in(about).iter().find_map(|t| t.to_lowercase().parse().ok())
}

impl Rules {
    fn examples(&self, about: &str, loosely: bool) -> Vec<String> {
        let is_json = |text: &String| serde_json::from_str::<serde_json::Value>(text).is_ok();
        let json = self.json_example.captures_iter(about).filter_map(first).filter(is_json);
        let mut found: Vec<String> = json.collect();
        found.extend(self.formula.captures_iter(about).filter_map(first));
        found.extend(self.example.captures_iter(about).filter_map(first));
        found.extend(self.bare_example.captures_iter(about).filter_map(first).map(trimmed));
        found.extend(self.named_example.captures_iter(about).filter_map(first));
        let is_word = |text: &String| text.chars().all(|c| c.is_ascii_lowercase());
        let loose = self.loose_example.captures_iter(about).filter_map(first).map(trimmed);
        found.extend(loose.filter(|text| loosely || !is_word(text)));
        found
    }

    fn default_in(&self, about: &str) -> Option<String> {
        let quoted = self.default.captures(about).and_then(first);
        let bare = || {
            let text = trimmed(self.bare_default.captures(about).and_then(first)?);
            let nothing = ["none", "null", "is", "to", "the", "value", "if", "for", "and", "all"];
            let telling =
                text.parse::<f64>().is_ok() || !nothing.contains(&text.to_lowercase().as_str());
            // A word in the flow of a sentence is no value; numbers and switches are.
            let ends = self.bare_default.captures(about).and_then(|c| {
                c.get(2).map(|m| m.as_str().trim().is_empty() && !m.as_str().is_empty())
            });
            let plain = text.parse::<f64>().is_ok()
                || matches!(text.to_lowercase().as_str(), "true" | "false");
            (telling && (plain || ends != Some(true))).then_some(text)
        };
        quoted.or_else(bare)
    }

    fn listed(&self, about: &str) -> Vec<String> {
        let found = self.listed.captures(about).and_then(|c| Some(c.get(1)?.as_str().to_owned()));
        found.as_deref().map(items).unwrap_or_default()
    }

    /// The first of several quoted words: `('local'), remote ('remote')` lists options.
    fn mentioned(&self, about: &str) -> Vec<String> {
        let words: Vec<String> = self.word.captures_iter(about).filter_map(first).collect();
        let quotes = self.quoted.captures_iter(about).count();
        if words.len() >= 2 && quotes >= 2 { words } else { Vec::new() }
    }
}

fn items(list: &str) -> Vec<String> {
    let items = list.split([',', '|', '/']).flat_map(|part| part.split(" or "));
    items
        .map(|item| item.trim().trim_start_matches("or ").trim_start_matches("and "))
        .map(|item| item.trim_matches(['\'', '"', '`', ' ', '.']).to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

fn first(found: regex::Captures<'_>) -> Option<String> {
    let text = found.iter().skip(1).flatten().next()?.as_str();
    (text.len() <= LONGEST).then(|| text.to_owned())
}

fn trimmed(text: String) -> String {
    text.trim_end_matches(['.', ':', ',']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_of(about: &str) -> Option<String> {
        texts(about, true).into_iter().next()
    }

    #[test]
    fn an_example_in_the_description_is_found_in_any_quotes() {
        assert_eq!(first_of("The zone (e.g., 'America/New_York')").unwrap(), "America/New_York");
        assert_eq!(first_of("Symbol, for example \"AAPL\"").unwrap(), "AAPL");
        assert_eq!(first_of("Language code (e.g. de, fr)").unwrap(), "de");
        assert_eq!(first_of("Full name, for example Marta Holm").unwrap(), "Marta Holm");
        assert_eq!(first_of("E-mail, e.g. m.okafor@example.org").unwrap(), "m.okafor@example.org");
        let formula = "When it applies, e.g. amount > 1000 and 'invoice' in text";
        assert_eq!(first_of(formula).unwrap(), "amount > 1000 and 'invoice' in text");
        assert_eq!(first_of("Don't use e.g. this thing"), None);
    }

    #[test]
    fn an_example_without_quotes_is_found_at_the_end_of_its_sentence() {
        assert_eq!(first_of("Number of the invoice, such as INV-1002").unwrap(), "INV-1002");
        assert_eq!(first_of("A code like AB-12 or CD-34").unwrap(), "AB-12");
        assert_eq!(first_of("A release, for instance v2.1.").unwrap(), "v2.1");
        assert_eq!(first_of("Fields as JSON, such as {\"a\": \"b\"}").unwrap(), r#"{"a": "b"}"#);
        assert_eq!(texts("Sort by a field such as date", false), Vec::<String>::new());
        assert_eq!(first_of("Text like this one here"), None);
    }

    #[test]
    fn a_default_is_used_and_a_word_in_a_sentence_is_not_one() {
        assert_eq!(first_of("Unit to use (default: celsius)").unwrap(), "celsius");
        assert_eq!(first_of("Defaults to 'utf-8'").unwrap(), "utf-8");
        assert_eq!(first_of("The default value of this is computed"), None);
        assert_eq!(number("How many (default: 10)"), Some(10.0));
        assert_eq!(switch("Recurse (default: true)"), Some(true));
        assert_eq!(switch("Recurse or not"), None);
    }

    #[test]
    fn a_list_of_allowed_values_gives_the_first_or_the_default() {
        assert_eq!(first_of("one of: low, high").unwrap(), "low");
        assert_eq!(first_of("Must be one of 'asc' or 'desc'").unwrap(), "asc");
        assert_eq!(first_of("Sort order, one of: asc, desc (default: desc)").unwrap(), "desc");
        assert_eq!(first_of("Allowed values: day|week|month").unwrap(), "day");
    }

    #[test]
    fn several_quoted_words_are_options_and_one_is_a_mention() {
        assert_eq!(first_of("local branches ('local') or remote ('remote')").unwrap(), "local");
        assert_eq!(first_of("see 'help' for more"), None);
        assert_eq!(first_of("A policy, \"leave.txt\" or \"pay.txt\".").unwrap(), "leave.txt");
        assert!(texts("local ('local') or remote ('remote')", false).is_empty());
    }

    #[test]
    fn names_in_brackets_or_after_a_colon_are_a_list() {
        assert_eq!(enumerated("A page of it: one.txt or two.txt."), ["one.txt", "two.txt"]);
        assert_eq!(enumerated("Taken at a place (Whitby, Porto)."), ["Whitby", "Porto"]);
        assert!(enumerated("Note: this is slow.").is_empty());
    }

    #[test]
    fn a_description_may_be_nothing_but_values() {
        assert_eq!(texts("ana or ben", false), ["ana", "ben"]);
        assert_eq!(texts("beach.txt, winter.txt or city.txt.", false)[0], "beach.txt");
        assert!(texts("name or id", false).is_empty());
        assert!(texts("Email or username", false).is_empty());
        assert!(texts("Whether to sort or not", false).is_empty());
    }

    #[test]
    fn bounds_may_stand_in_the_description_alone() {
        assert_eq!(range("A number between 1 and 5"), Some((1.0, 5.0)));
        assert_eq!(range("Rating (1-5)"), Some((1.0, 5.0)));
        assert_eq!(range("Nothing of the kind"), None);
    }
}
