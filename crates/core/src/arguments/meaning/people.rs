//! People, firms and what belongs to them.

use super::{Context, Hint, Meaning, Row, Texts::Fixed, Texts::Made};
use crate::seed::Seed;

pub(super) const ROWS: &[Row] = &[
    Row::of(
        Meaning::FullName,
        "fullname|full name|first name|last name|firstname|lastname|author|person|customer|contact|\
         employee|assignee|artist|player|patient",
        "full name|name of the person",
        Fixed(&["Ada Sample", "Bo Example", "Chidi Muster"]),
    ),
    Row::of(
        Meaning::Username,
        "username|user name|login|handle|nickname|screen name",
        "username|user name",
        Fixed(&["sample", "example"]),
    ),
    Row::of(
        Meaning::Phone,
        "phone|telephone|mobile|phone number|fax",
        "phone number",
        Fixed(&["+15550100", "+15550101"]),
    ),
    Row::of(
        Meaning::Company,
        "company|organization|organisation|org|brand|employer|vendor",
        "company name",
        Fixed(&["Sample Ltd", "Example GmbH"]),
    ),
    Row::of(
        Meaning::Secret,
        "password|passwd|secret|token|apikey|api key|access token|access code|passcode|pin|pin code|credential",
        "password|api key",
        Made(secret),
    ),
];

fn secret(hint: Hint<'_>, _: &Context, seed: Seed) -> String {
    format!("Sample-{}-9", seed.word(hint.name, 10))
}
