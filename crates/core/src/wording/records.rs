//! Secrets by the name of the member that holds them, and a value that may be one.

use serde_json::Value;

use super::secrets::is_placeholder;
use crate::probe::words;

/// The member, if it is called a key or a password and its value stands for nothing else.
pub fn named_secret<'a>(name: &'a str, value: &'a Value) -> Option<(&'a str, &'a str)> {
    let value = value.as_str().filter(|value| is_secret_name(name) && is_opaque(value))?;
    Some((name, value))
}

fn is_secret_name(name: &str) -> bool {
    const PAIRS: [(&str, &str); 6] = [
        ("access", "token"),
        ("api", "key"),
        ("auth", "token"),
        ("bearer", "token"),
        ("private", "key"),
        ("secret", "key"),
    ];
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    let pair = |(a, b): &(&str, &str)| words.windows(2).any(|w| w[0] == *a && w[1] == *b);
    ["password", "passwd", "secret", "passphrase"].contains(&last) || PAIRS.iter().any(pair)
}

/// Letters and digits in one piece, and nothing that stands for a value.
fn is_opaque(value: &str) -> bool {
    let has = |test: fn(char) -> bool| value.chars().any(test);
    (10..=200).contains(&value.len())
        && has(|c| c.is_ascii_digit())
        && has(|c| c.is_ascii_alphabetic())
        && !has(|c| c.is_whitespace() || "*<>{}$/".contains(c))
        && !is_placeholder(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_and_an_opaque_value_make_a_secret() {
        let is = |name: &str, value: &str| named_secret(name, &json!(value)).is_some();
        assert!(is("apiKey", "term_live_51Hq8ZpLw0c2vYxR7"));
        assert!(is("password", "Kiruna-88-mailgate"));
        assert!(is("client_secret", "k3Jd9-pQ72xZ"));
        assert!(!is("password", "********"));
        assert!(!is("nextPageToken", "eyJwYWdlIjoyfQ"));
        assert!(!is("secret", "set at 2024"));
        assert!(!is("password_hint", "name of 1 dog"));
        assert!(!is("api_key", "your-api-key-here1"));
    }
}
