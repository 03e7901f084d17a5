//! Tool names in several styles.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/naming-consistency",
    title: "Tool names follow one style",
    facet: Facet::Naming,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("naming_consistency.md"),
    judge,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Snake,
    Kebab,
    Camel,
    Pascal,
    Dotted,
}

const STYLES: &[(Style, &str)] = &[
    (Style::Snake, "snake_case"),
    (Style::Kebab, "kebab-case"),
    (Style::Camel, "camelCase"),
    (Style::Pascal, "PascalCase"),
    (Style::Dotted, "dotted.names"),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let names: Vec<&str> = evidence.tools().map(|t| t.name.as_str()).collect();
    if names.is_empty() {
        return Vec::new();
    }
    // The first style wins a tie, so that the same tools always give the same answer.
    let (style, label) = STYLES
        .iter()
        .rev()
        .max_by_key(|(style, _)| names.iter().filter(|n| fits(n, *style)).count())
        .copied()
        .unwrap_or(STYLES[0]);
    let odd: Vec<&str> = names.iter().filter(|n| !fits(n, style)).copied().collect();
    if odd.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            format!("all {} names fit {label}", names.len()),
        )];
    }
    let share = (names.len() - odd.len()) as f64 / names.len() as f64;
    let says = format!(
        "{} of {} names fit {label}; not {}",
        names.len() - odd.len(),
        names.len(),
        quote(&odd.join(", "))
    );
    let fix = format!("rename the odd ones to {label}");
    vec![Finding::partial(Subject::Server, Grade::new(share), says, fix)]
}

/// Single words fit every style that allows their first letter.
fn fits(name: &str, style: Style) -> bool {
    // An acronym may keep its capitals: `API-get-user`.
    let cased = |word: &str, upper: bool| {
        let fits = |c: char| {
            c.is_ascii_digit() || (c.is_ascii_alphabetic() && c.is_ascii_uppercase() == upper)
        };
        !word.is_empty() && word.chars().all(fits)
    };
    let lower = |word: &str| cased(word, false);
    let word = |word: &str| lower(word) || cased(word, true);
    let letters = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric());
    match style {
        Style::Snake => name.split('_').all(word),
        Style::Kebab => name.split('-').all(word),
        Style::Camel => letters(name) && name.starts_with(|c: char| c.is_ascii_lowercase()),
        Style::Pascal => {
            letters(name) && (name.starts_with(|c: char| c.is_ascii_uppercase()) || lower(name))
        }
        Style::Dotted => {
            name.split('.').all(|part| {
                fits(part, Style::Snake) || fits(part, Style::Kebab) || fits(part, Style::Camel)
            }) && (name.contains('.') || lower(name))
        }
    }
}
