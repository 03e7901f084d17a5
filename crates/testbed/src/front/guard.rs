//! Who may talk to an HTTP front: pages of this machine and programs, not pages from elsewhere.

use axum::http::HeaderMap;

/// A DNS name that was rebound to loopback still shows in `Host` and `Origin`.
pub(crate) fn admits(headers: &HeaderMap) -> bool {
    let host = header(headers, "host").is_none_or(is_local);
    let origin = header(headers, "origin").is_none_or(|origin| {
        origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"))
            .is_some_and(is_local)
    });
    host && origin
}

fn is_local(authority: &str) -> bool {
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        Some(_) | None => authority,
    };
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
}

pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Whether a header that lists media types covers one of these.
pub(crate) fn mentions(headers: &HeaderMap, name: &str, types: &[&str]) -> bool {
    header(headers, name).is_some_and(|value| {
        let value = value.to_ascii_lowercase();
        value.split(',').any(|part| types.contains(&part.split(';').next().unwrap_or("").trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::is_local;

    #[test]
    fn only_names_of_this_machine_are_local() {
        for name in ["127.0.0.1", "127.0.0.1:80", "localhost:9", "[::1]", "[::1]:8080"] {
            assert!(is_local(name), "{name}");
        }
        for name in ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example", ""] {
            assert!(!is_local(name), "{name}");
        }
    }
}
