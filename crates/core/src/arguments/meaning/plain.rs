//! What people write when nothing special is asked.

use super::{Context, Hint, Meaning, Row, Texts::Fixed, Texts::Made, uuid};
use crate::seed::Seed;

pub(super) const ROWS: &[Row] = &[
    Row::of(Meaning::SpareWord, "", "", Made(spare_word)),
    Row::of(Meaning::Uuid, "uuid|guid", "uuid", Made(fresh_uuid)),
    Row::of(
        Meaning::Colour,
        "color|colour|colors|fill",
        "hex color|hex colour|color code",
        Fixed(&["#336699", "#993366", "#669933"]),
    ),
    Row::of(Meaning::Percentage, "percentage|percent", "percentage", Fixed(&["50", "25"])),
    Row::of(Meaning::Switch, "enabled|disabled|flag", "true or false", Fixed(&["true", "false"])),
    Row::of(
        Meaning::Count,
        "limit|count|page|offset|size|quantity|amount|max|min|width|height",
        "number of|maximum number",
        Fixed(&["5", "1"]),
    ),
    Row::of(
        Meaning::SortOrder,
        "order|direction|sort order|sort direction",
        "sort order",
        Fixed(&["asc", "desc"]),
    ),
    Row::of(
        Meaning::Status,
        "type|status|state|mode|format|level|priority|severity|category|kind",
        "",
        Made(name),
    ),
    Row::of(Meaning::Encoding, "encoding|charset", "character encoding", Fixed(&["utf-8"])),
    Row::of(
        Meaning::Query,
        "query|queries|q|search|keyword|keywords|term|terms",
        "search query|search term|search",
        Fixed(&["notes", "sample", "example"]),
    ),
    Row::of(Meaning::Id, "id|ids|identifier|key|number|isbn|doi", "identifier|unique id", Made(id)),
    Row::of(Meaning::Title, "title|subject|topic|heading|headline|caption", "title", Made(title)),
    Row::of(
        Meaning::Name,
        "name|names|user|owner|label|labels|tag|tags|group|project|channel|team|account",
        "name of",
        Made(name),
    ),
    Row::of(
        Meaning::Text,
        "text|message|content|contents|body|prompt|description|comment|note|input|value|data|\
         thought|summary|observations|instructions|question|answer|reason|paragraph",
        "",
        Made(text),
    ),
];

fn spare_word(_: Hint<'_>, context: &Context, _: Seed) -> String {
    context.spare_word().to_owned()
}

fn fresh_uuid(hint: Hint<'_>, _: &Context, seed: Seed) -> String {
    uuid(seed, hint)
}

fn id(hint: Hint<'_>, _: &Context, _: Seed) -> String {
    (hint.index + 1).to_string()
}

fn suffix(index: usize) -> String {
    if index == 0 { String::new() } else { format!(" {}", index + 1) }
}

fn name(hint: Hint<'_>, _: &Context, seed: Seed) -> String {
    format!("sample-{}{}", seed.word(hint.name, 6), suffix(hint.index))
}

fn title(hint: Hint<'_>, _: &Context, _: Seed) -> String {
    format!("Sample title{}", suffix(hint.index))
}

fn text(hint: Hint<'_>, _: &Context, _: Seed) -> String {
    format!("A short sample text.{}", suffix(hint.index))
}
