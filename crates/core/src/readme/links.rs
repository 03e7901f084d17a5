//! Where links lead, and what they can lead to.

use std::collections::BTreeMap;

use crate::percent::decoded;

/// Anchors as GitHub makes them from headings.
#[derive(Default)]
pub(super) struct Slugs {
    used: BTreeMap<String, usize>,
}

impl Slugs {
    /// A repeated heading gets a number.
    pub(super) fn of(&mut self, heading: &str) -> String {
        let slug: String = heading
            .trim()
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let times = self.used.entry(slug.clone()).or_default();
        *times += 1;
        if *times == 1 { slug } else { format!("{slug}-{}", *times - 1) }
    }
}

/// The file that a link means, if it is one beside the README.
pub(super) fn relative(link: &str) -> Option<String> {
    let path = link.split(['#', '?']).next().unwrap_or_default();
    let has_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    let elsewhere = has_scheme || path.starts_with("//") || path.starts_with('#');
    // Templates of generators are filled in later.
    let template = path.contains(['{', '$', '<', '%']) && !path.contains("%20");
    (!path.is_empty() && !elsewhere && !template).then(|| decoded(path))
}

/// The tags of a piece of HTML, each with all that follows it; text before the first has no tag.
pub(super) fn tags(html: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut pieces = html.split('<');
    let lead = pieces.next().unwrap_or_default();
    let tagged = pieces.map(|piece| piece.split_once('>').unwrap_or((piece, "")));
    std::iter::once(("", lead)).chain(tagged)
}

pub(super) fn is_heading(tag: &str) -> bool {
    let mut letters = tag.chars();
    matches!(letters.next(), Some('h' | 'H'))
        && letters.next().is_some_and(|c| ('1'..='6').contains(&c))
        && letters.next().is_none_or(char::is_whitespace)
}

/// The value of an attribute, quoted.
pub(super) fn attribute(tag: &str, name: &str) -> Option<String> {
    let (before, after) = tag.split_once(&format!("{name}="))?;
    let alone = before.ends_with(char::is_whitespace);
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let value = after[1..].split(quote).next()?;
    (alone && !value.is_empty()).then(|| value.to_owned())
}
