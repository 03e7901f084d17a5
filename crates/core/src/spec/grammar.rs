//! Small grammars of other standards: URIs (RFC 3986), URI templates (RFC 6570), header names, dates.

/// What is wrong with a text that should be an absolute URI.
pub fn uri_flaw(uri: &str) -> Option<String> {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return Some("it has no scheme".to_owned());
    };
    if !is_scheme(scheme) {
        return Some(format!("`{scheme}` is no scheme"));
    }
    let odd = rest.chars().find(|c| !is_uri_char(*c) && *c != '%');
    match odd {
        Some(c) => Some(format!("{c:?} may not stand in a URI unencoded")),
        None if !is_encoded(rest) => Some("a `%` is not followed by two hex digits".to_owned()),
        None => None,
    }
}

pub fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn is_uri_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=".contains(c)
}

/// Every `%` begins an encoded byte.
fn is_encoded(text: &str) -> bool {
    text.split('%').skip(1).all(|part| {
        let hex = part.as_bytes().get(..2);
        hex.is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit))
    })
}

/// What is wrong with a text that should be a URI template.
pub fn template_flaw(template: &str) -> Option<String> {
    let mut rest = template;
    loop {
        let Some((literal, after)) = rest.split_once('{') else { return literal_flaw(rest) };
        if let Some(flaw) = literal_flaw(literal) {
            return Some(flaw);
        }
        let Some((expression, after)) = after.split_once('}') else {
            return Some("a `{` is never closed".to_owned());
        };
        if !is_expression(expression) {
            return Some(format!("`{{{expression}}}` is no expression"));
        }
        rest = after;
    }
}

fn literal_flaw(literal: &str) -> Option<String> {
    let odd = literal.chars().find(|c| c.is_control() || " \"'<>\\^`|}".contains(*c));
    match odd {
        // Left out of the grammar, yet every implementation takes it.
        Some('\'') | None => {
            (!is_encoded(literal)).then(|| "a `%` is not followed by two hex digits".to_owned())
        }
        Some(c) => Some(format!("{c:?} may not stand outside an expression")),
    }
}

fn is_expression(text: &str) -> bool {
    let names = text.strip_prefix(|c: char| "+#./;?&".contains(c)).unwrap_or(text);
    names.split(',').all(is_variable)
}

fn is_variable(spec: &str) -> bool {
    let name = match spec.split_once(':') {
        Some((name, length)) => {
            let counts = length.parse::<u16>().is_ok_and(|n| (1..10_000).contains(&n));
            if !counts {
                return false;
            }
            name
        }
        None => spec.strip_suffix('*').unwrap_or(spec),
    };
    let part = |p: &str| {
        !p.is_empty()
            && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '%')
            && is_encoded(p)
    };
    name.split('.').all(part)
}

/// A token as header names are made of (RFC 9110).
pub fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// `2025-01-12T15:00:58Z` and its like; a date alone will do.
pub fn is_date(text: &str) -> bool {
    let digits = |part: &str, n: usize| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    let day = text.split(['T', 't', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split('-').collect();
    matches!(parts.as_slice(), [y, m, d] if digits(y, 4) && digits(m, 2) && digits(d, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_have_a_scheme_and_no_raw_spaces() {
        for good in ["demo://a/b%20c", "file:///tmp/x", "urn:a:b", "x+y.z-1:q?a=[1]#f"] {
            assert_eq!(uri_flaw(good), None, "{good}");
        }
        for bad in ["no scheme", "notes", "1a://x", "a://b c", "a://b%2", "a://ü", ""] {
            assert!(uri_flaw(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn templates_follow_their_grammar() {
        for good in ["a://{id}", "a://{+path}{?q,r*}", "a://{x:3}/{a.b}", "plain://x"] {
            assert_eq!(template_flaw(good), None, "{good}");
        }
        for bad in ["a://{id", "a://{}", "a://{a b}", "a://id}", "a://{x:0}", "a://{=x}"] {
            assert!(template_flaw(bad).is_some(), "{bad}");
        }
    }
}
