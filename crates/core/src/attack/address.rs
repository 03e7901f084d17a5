//! Addresses that lead to our own pages and files, written in ways that filters overlook.

use super::nonce::visited;
use super::{Form, Nonce};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::proof::Oracle;

/// The first goes to every text, the others where an address is meant. All lead to our own pages.
pub(crate) const FORMS: &[Form] = &[
    Form::new("plain", Quick, "http://content.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("by name", Standard, "http://named.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("decimal", Standard, "http://decimal.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("short", Standard, "http://short.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("IPv6", Standard, "http://six.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("mapped", Standard, "http://mapped.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("any", Standard, "http://any.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new(
        "redirect",
        Standard,
        "http://content.proofmark.localhost:8080/elsewhere?file=«O»",
        outside,
    ),
    Form::new("file", Standard, "file://«O»", outside),
    Form::new("file, in capitals", Deep, "FILE://«O»", outside),
    Form::new("file, local host", Deep, "file://localhost«O»", outside),
    Form::new("hexadecimal", Deep, "http://hex.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("octal", Deep, "http://octal.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new("user", Standard, "http://«H»@content.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new(
        "host at the end",
        Standard,
        "http://content.proofmark.localhost:8080/seen/«L»«R»?a=.«H»",
        visited,
    ),
    Form::new(
        "with its ending",
        Standard,
        "http://content.proofmark.localhost:8080/seen/«L»«R»«E»",
        visited,
    ),
    Form::new("without scheme", Deep, "//content.proofmark.localhost:8080/seen/«L»«R»", visited),
    Form::new(
        "scheme in capitals",
        Deep,
        "HTTP://content.proofmark.localhost:8080/seen/«L»«R»",
        visited,
    ),
    Form::new("host alone", Standard, "content.proofmark.localhost:8080/seen/«L»«R»", visited),
];

/// Where a text goes right behind a host, which this makes the name of a user.
pub(crate) const BEHIND: &[Form] = &[Form::new(
    "behind a host",
    Standard,
    "@content.proofmark.localhost:8080/seen/«L»«R»",
    visited,
)];

/// Where a path or an address names another one, as a redirect does.
pub(crate) const WITHIN: &[Form] = &[Form::new(
    "in the place of what it leads to",
    Standard,
    "«I»http://content.proofmark.localhost:8080/seen/«L»«R»",
    visited,
)];

/// Where a host is asked for and nothing beside it: for calls that are made alone.
pub(crate) const HOSTS: &[Form] = &[
    Form::new("host and port", Standard, "content.proofmark.localhost:8080", called),
    Form::new("name and port", Standard, "named.proofmark.localhost:8080", called),
    Form::new("short, and port", Standard, "short.proofmark.localhost:8080", called),
];

fn called(n: &Nonce<'_>) -> Option<Oracle> {
    n.evidence.conditions.content.as_ref()?;
    Some(Oracle::Visit {})
}

fn outside(n: &Nonce<'_>) -> Option<Oracle> {
    n.evidence.conditions.content.as_ref()?;
    Some(Oracle::Planted { canary: "outside-file".to_owned() })
}
