//! XML documents as a tool expects them, from the example it gives.

use super::openness;
use crate::arguments::Place;
use crate::evidence::Tool;
use crate::probe::words;

/// A document in which an entity `e` stands for its first text, and the name of its root. What is
/// described goes before what was sent: that may be a sample that nobody takes.
pub(super) fn document(tool: &Tool, place: &Place) -> (String, String) {
    let about = openness::of_parameter(tool, &place.pointer);
    let of_tool = tool.description.clone().unwrap_or_default();
    let example = [&about, &of_tool, place.text.as_str()].into_iter().find_map(example);
    let said = || named(&[last(&place.pointer), &about, &tool.name, &of_tool].join(" "));
    let text = example.map(|(_, text)| text).or_else(said);
    let text = text.unwrap_or("<record><title>a</title></record>");
    let root = self::example(text).map_or("record", |(root, _)| root);
    (with_entity(text), root.to_owned())
}

fn last(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}

/// A small document of the kind that the words name.
pub(crate) fn named(about: &str) -> Option<&'static str> {
    let kinds = |word: &String| KINDS.iter().find(|(name, _)| name == word).map(|(_, text)| *text);
    words(about).iter().find_map(kinds)
}

/// Kinds of documents that have a shape of their own, the first text where it is shown.
const KINDS: &[(&str, &str)] = &[
    ("rss", RSS),
    ("podcast", RSS),
    (
        "atom",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Sample</title><entry><title>One</title><id>1</id></entry></feed>",
    ),
    ("feed", RSS),
    (
        "sitemap",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>one</loc></url></urlset>",
    ),
    (
        "svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><title>One</title><text>two</text></svg>",
    ),
    (
        "gpx",
        "<gpx version=\"1.1\" creator=\"a\"><wpt lat=\"1\" lon=\"1\"><name>One</name></wpt></gpx>",
    ),
    (
        "kml",
        "<kml><Document><name>Sample</name><Placemark><name>One</name></Placemark></Document></kml>",
    ),
    ("tei", "<TEI><text><body><p>One</p></body></text></TEI>"),
    (
        "junit",
        "<testsuite name=\"a\"><testcase name=\"b\"><failure>One</failure></testcase></testsuite>",
    ),
    ("soap", "<Envelope><Body><request>One</request></Body></Envelope>"),
];

const RSS: &str = "<rss version=\"2.0\"><channel><title>One</title><item><title>One</title><link>two</link><description>three</description></item></channel></rss>";

/// The first element in a text, with its name.
pub(crate) fn example(text: &str) -> Option<(&str, &str)> {
    text.match_indices('<').find_map(|(start, _)| {
        let rest = &text[start + 1..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)))?;
        let name = &rest[..end];
        let close = format!("</{name}>");
        let length = text[start..].rfind(&close)? + close.len();
        (!name.is_empty()).then(|| (name, &text[start..start + length]))
    })
}

fn with_entity(document: &str) -> String {
    let texts = document.match_indices('>').filter_map(|(at, _)| {
        let length = document[at + 1..].find('<')?;
        let text = &document[at + 1..at + 1 + length];
        (!text.trim().is_empty()).then_some((at + 1, length))
    });
    let mut first: Vec<(usize, usize)> = texts.collect();
    let one = first.first().map(|(at, length)| &document[*at..at + length]);
    let alike = |(at, length): &(usize, usize)| Some(&document[*at..at + length]) == one;
    // What stands there more than once is the same everywhere.
    first.retain(alike);
    if first.is_empty() {
        return into_empty(document);
    }
    let mut filled = document.to_owned();
    for (at, length) in first.into_iter().rev() {
        filled.replace_range(at..at + length, "&e;");
    }
    filled
}

/// The entity in every element that has nothing in it.
fn into_empty(document: &str) -> String {
    let mut filled = String::new();
    let mut rest = document;
    while let Some(at) = rest.find("/>") {
        let start = rest[..at].rfind('<').map_or(at, |start| start + 1);
        let name = rest[start..at].split_whitespace().next().unwrap_or_default();
        filled += &rest[..at];
        filled += &format!(">&e;</{name}>");
        rest = &rest[at + 2..];
    }
    filled += rest;
    if filled == document { "<record>&e;</record>".to_owned() } else { filled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_text_of_an_example_is_replaced() {
        let (name, text) =
            example("The list, such as <opml><outline>Emma</outline></opml>").unwrap();
        assert_eq!(name, "opml");
        assert_eq!(with_entity(text), "<opml><outline>&e;</outline></opml>");
        assert_eq!(example("less < more"), None);
        let feed = with_entity(named("RSS document").unwrap());
        assert_eq!(feed.matches("<title>&e;</title>").count(), 2, "{feed}");
        assert_eq!(named("A document"), None);
        let filled = with_entity("<invoice><seller/><line/></invoice>");
        assert_eq!(filled, "<invoice><seller>&e;</seller><line>&e;</line></invoice>");
    }
}
