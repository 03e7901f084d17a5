//! Line breaks that make a header of what stands behind them.

use super::{Form, Nonce};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::proof::Oracle;

pub(crate) const NAME: &str = "X-Proofmark";

/// What reads this as a header reads headers by design, and is left alone.
pub(crate) const ALONE: Form = Form::new("alone", Quick, "X-Proofmark: «L»«R»", |n| {
    Some(Oracle::Header { token: n.token() })
});

pub(crate) const FORMS: &[Form] = &[
    ALONE,
    Form::new("line", Quick, "«V»\r\nX-Proofmark: «L»«R»", header),
    Form::new("line feed", Standard, "«V»\nX-Proofmark: «L»«R»", header),
    Form::new(
        "request",
        Standard,
        "http://content.proofmark.localhost:8080/seen/«W» HTTP/1.1\r\nX-Proofmark: «L»«R»\r\nX-Rest: ",
        in_address,
    ),
    Form::new(
        "encoded",
        Standard,
        "http://content.proofmark.localhost:8080/seen/«W»%20HTTP/1.1%0d%0aX-Proofmark:%20«L»«R»%0d%0aX-Rest:%20",
        in_address,
    ),
    Form::new("encoded line", Standard, "«V»%0d%0aX-Proofmark:%20«L»«R»", header),
    Form::new("carriage return", Deep, "«V»\rX-Proofmark: «L»«R»", header),
    Form::new("wide line", Deep, "«V»\u{560d}\u{560a}X-Proofmark: «L»«R»", header),
];

/// For messages of which another tool lists the headers. What lists all that looks like one of them
/// does so without a line break, too.
pub(crate) const IN_MESSAGES: &[Form] = &[
    Form::new("not on a line of its own", Quick, "«V» X-«L»: «L»«R»", listed),
    Form::new("line", Quick, "«V»\r\nX-«L»: «L»«R»", listed),
];

fn listed(n: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Listed { name: format!("X-{}", n.left) })
}

fn header(n: &Nonce<'_>) -> Option<Oracle> {
    let member = Oracle::Member { name: NAME.to_owned(), value: n.token() };
    let listed = Oracle::Listed { name: NAME.to_owned() };
    Some(Oracle::Any { of: vec![Oracle::Header { token: n.token() }, member, listed] })
}

fn in_address(n: &Nonce<'_>) -> Option<Oracle> {
    n.evidence.conditions.content.as_ref()?;
    Some(Oracle::Header { token: n.token() })
}
