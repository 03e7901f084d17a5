//! Which addresses may be asked: the host of the target, and this machine if the target is on it.

use url::{Host, Url};

use crate::evidence::Evidence;
use crate::scrub::names_a_secret;
use crate::target::Target;

pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// The address of a target over Streamable HTTP.
pub fn endpoint(evidence: &Evidence) -> Option<Url> {
    match &evidence.target {
        Target::Http { url, .. } => Url::parse(url).ok(),
        Target::Sse { .. } | Target::Stdio { .. } | Target::Source { .. } => None,
    }
}

/// The address, if it may be asked.
pub fn near(evidence: &Evidence, url: &str) -> Option<Url> {
    let (endpoint, url) = (endpoint(evidence)?, Url::parse(url).ok()?);
    let here = is_loopback(&endpoint) && is_loopback(&url);
    (here || endpoint.host() == url.host()).then_some(url)
}

/// Headers of the user's that carry a credential.
pub fn credentials(evidence: &Evidence) -> Vec<&str> {
    match &evidence.target {
        Target::Http { headers, .. } | Target::Sse { headers, .. } => {
            headers.keys().map(String::as_str).filter(|n| names_a_secret(n)).collect()
        }
        Target::Stdio { .. } | Target::Source { .. } => Vec::new(),
    }
}

/// The token that opens the session, as it stands in evidence.
pub fn bearer(evidence: &Evidence) -> Option<&str> {
    let Target::Http { headers, .. } = &evidence.target else { return None };
    let value = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("authorization"))?.1;
    value.strip_prefix("Bearer ")
}
