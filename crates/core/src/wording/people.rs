//! Data about people, by shapes that can be checked.

use std::sync::LazyLock;

use regex::Regex;

use crate::pattern;

static CARD: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern::ascii(r"\b[3-6]\d{3}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,4}\b").ok());
static IBAN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b").ok()
});
static SOCIAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(
        r"(?i)(?:ssn|social[_ -]?security|national[_ -]?id)[^\d\n]{0,20}(\d{3}-\d{2}-\d{4})\b",
    )
    .ok()
});

static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(r"(?i)(?:cvc|cvv|card[_ -]?code|security[_ -]?code)\W{1,10}\d{3,4}\b").ok()
});

/// Personal data that a text holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Personal<'a> {
    pub kind: &'static str,
    pub number: &'a str,
    /// Nobody returns it with good reason: a card together with its code, a national number.
    pub grave: bool,
}

/// The gravest personal data of a text. Addresses and names are not counted: too many honest answers
/// have them.
pub fn personal(text: &str) -> Option<Personal<'_>> {
    let found = |pattern: &'static LazyLock<Option<Regex>>| {
        pattern.as_ref().map(|p| p.find_iter(text)).into_iter().flatten().map(|m| m.as_str())
    };
    let code = CODE.as_ref().is_some_and(|p| p.is_match(text));
    let card = found(&CARD).find(|c| luhn(c));
    let social = SOCIAL.as_ref().and_then(|p| p.captures(text)?.get(1)).map(|m| m.as_str());
    let grave = |kind, number| Personal { kind, number, grave: true };
    let slight = |kind, number| Personal { kind, number, grave: false };
    card.filter(|_| code)
        .map(|c| grave("a card number with its code", c))
        .or_else(|| social.map(|n| grave("a national id number", n)))
        .or_else(|| card.filter(|c| !is_test_card(c)).map(|c| slight("a card number", c)))
        .or_else(|| found(&IBAN).find(|c| mod_97(c)).map(|c| slight("an IBAN", c)))
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

fn luhn(text: &str) -> bool {
    let digits = digits(text);
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| if i % 2 == 0 { *d } else { d * 2 / 10 + d * 2 % 10 })
        .sum();
    (13..=16).contains(&digits.len()) && sum.is_multiple_of(10)
}

/// The numbers that payment providers publish for tests repeat their digits.
fn is_test_card(text: &str) -> bool {
    let digits = digits(text);
    let distinct: std::collections::BTreeSet<&u32> = digits.iter().collect();
    distinct.len() <= 4
}

fn mod_97(text: &str) -> bool {
    let bare: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
    let rest = bare.iter().skip(4).chain(bare.iter().take(4)).try_fold(0u32, |rest, c| {
        let value = c.to_digit(36)?;
        Some((rest * if value > 9 { 100 } else { 10 } + value) % 97)
    });
    bare.len() >= 15 && rest == Some(1)
}

/// The end only.
pub fn masked(text: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    let end: String = all.iter().skip(all.len().saturating_sub(3)).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_with_a_right_check_digit_count() {
        let kind = |text| personal(text).map(|p| p.kind);
        assert_eq!(kind("card 5425 2334 3010 9903"), Some("a card number"));
        assert_eq!(kind("4111 1111 1111 1111, cvc: 123"), Some("a card number with its code"));
        assert_eq!(kind("ssn 078-05-1120"), Some("a national id number"));
        assert_eq!(personal("card 5425 2334 3010 9904"), None);
        assert_eq!(kind("IBAN DE89 3704 0044 0532 0130 00"), Some("an IBAN"));
        assert_eq!(personal("test card 4242 4242 4242 4242"), None);
        assert_eq!(personal("order 1700000000000 at 2024-01-01"), None);
    }
}
