//! A check list as Markdown and as JSON.

use std::fmt::Write;

use super::escape::{code, markdown as md, prose};
use super::text::clip;
use crate::preflight::{Answer, Preflight};

const SAID: usize = 400;

pub fn json(list: &Preflight) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(list)? + "\n")
}

pub fn markdown(list: &Preflight) -> String {
    let mut out = format!("### {}: {}\n\n", list.directory.title(), summary(list));
    let _ = writeln!(out, "{}\n", code(&list.server));
    for item in &list.items {
        let sign = match item.verdict {
            Answer::Pass => "- [x]",
            Answer::Fail => "- [ ] ❌",
            Answer::Ask => "- [ ] ❓",
        };
        let says = prose(&clip(&item.says, SAID, "…"));
        let _ = writeln!(out, "{sign} **{}**: {says}", md(item.title));
    }
    out
}

pub(super) fn summary(list: &Preflight) -> String {
    let n = |answer| list.count(answer);
    let (failed, asked, passed) = (n(Answer::Fail), n(Answer::Ask), n(Answer::Pass));
    format!("{failed} to fix, {asked} to ask a human, {passed} met")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preflight::{Directory, Item, SCHEMA};
    use crate::render::hostile;
    use pulldown_cmark::{Event, Options, Parser};

    #[test]
    fn a_list_as_markdown_keeps_hostile_text_as_text() {
        let item = |verdict| Item { title: "A thing", verdict, says: hostile::TEXT.to_owned() };
        let list = Preflight {
            schema: SCHEMA,
            directory: Directory::Registry,
            server: hostile::TEXT.to_owned(),
            items: [Answer::Fail, Answer::Ask, Answer::Pass].map(item).into(),
        };
        let text = markdown(&list);
        assert!(
            text.starts_with("### MCP registry: 1 to fix, 1 to ask a human, 1 met\n"),
            "{text}"
        );
        hostile::assert_no_controls(&text.replace('\n', ""));
        let html = Parser::new_ext(&text, Options::all());
        let html = html.filter(|e| matches!(e, Event::Html(_) | Event::InlineHtml(_)));
        assert_eq!(html.count(), 0, "{text}");
    }
}
