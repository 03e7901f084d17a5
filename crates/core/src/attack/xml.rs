//! XML documents as a tool expects them, from the example it gives.

use super::openness;
use crate::arguments::Place;
use crate::evidence::Tool;

/// A document in which an entity `e` stands for its first text, and the name of its root. What is
/// described goes before what was sent: that may be a sample that nobody takes.
pub(super) fn document(tool: &Tool, place: &Place) -> (String, String) {
    let about = openness::of_parameter(tool, &place.pointer);
    let of_tool = tool.description.clone().unwrap_or_default();
    let example = [&about, &of_tool, place.text.as_str()].into_iter().find_map(example);
    let (root, text) = example.unwrap_or(("record", "<record><title>a</title></record>"));
    (with_entity(text), root.to_owned())
}

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
    match texts.min() {
        Some((at, length)) => format!("{}&e;{}", &document[..at], &document[at + length..]),
        None => "<record>&e;</record>".to_owned(),
    }
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
    }
}
