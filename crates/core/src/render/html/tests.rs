//! The page as text; what a browser makes of it is tested with the binary.

use serde_json::json;

use super::{HtmlError, html};
use crate::evidence::Evidence;
use crate::pages;
use crate::render::golden;
use crate::report::Report;
use crate::rubric::Rubric;

fn evidence() -> Evidence {
    pages::evidence(
        r#"{"tools": [{"name": "read_file", "description": "Reads a file."}, {"name": "move_file"}],
            "exchanges": [
              {"probe": "valid-call", "tool": "read_file", "arguments": {"path": "a.txt"}, "reply": {"text": "hello"}},
              {"probe": "valid-call", "tool": "move_file", "reply": {"error": {"code": -32602, "message": "no"}}}
            ]}"#,
    )
    .unwrap()
}

/// The page without its constant style and script.
fn page(report: &Report, evidence: &Evidence) -> Result<String, HtmlError> {
    Ok(html(report, evidence)?.replace(super::STYLE, "…").replace(super::SCRIPT, "…"))
}

#[test]
fn the_golden_report_as_html() {
    insta::assert_snapshot!("golden", page(&golden::report(), &evidence()).unwrap());
}

#[test]
fn a_server_that_stayed_away_has_a_page_that_says_why() {
    let text = html(&golden::down(), &evidence()).unwrap();
    assert!(text.contains("asks for FILES_TOKEN"), "{text}");
    assert!(text.contains("\\x1b[31mError"), "control characters are to be seen");
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    let (report, evidence) = (golden::report(), evidence());
    assert_eq!(html(&report, &evidence).unwrap(), html(&report, &evidence).unwrap());
}

#[test]
fn what_a_server_says_is_never_mark_up() {
    const EVIL: &str =
        "</script><img src=x onerror=alert(1)><!--<script>{{ 7 * 7 }}\u{2028}\u{202e}\x1b[31m\"'`";
    let evidence = pages::evidence(
        &json!({
            "tools": [{"name": EVIL, "title": EVIL, "description": EVIL}],
            "exchanges": [{"probe": "valid-call", "tool": EVIL, "arguments": {EVIL: EVIL}, "reply": {"text": EVIL}}],
        })
        .to_string(),
    )
    .unwrap();
    let mut report = Report::of(&evidence, &Rubric::builtin("directory").unwrap());
    report.server.name = Some(EVIL.to_owned());
    report.level = EVIL.to_owned();
    let text = html(&report, &evidence).unwrap();
    assert!(!text.contains("<img") && !text.contains("<!--"), "mark-up of the server");
    assert_eq!(text.matches("</script>").count(), 2, "only the page's own scripts end");
    assert_eq!(text.matches("<script").count(), 2, "only the page's own scripts begin");
    assert!(!text.contains(['\u{2028}', '\u{202e}', '\x1b']), "hidden characters");
    assert!(text.contains("&lt;img src=x onerror") && text.contains("\\u003cimg src=x onerror"));
    assert!(text.contains("{{ 7 * 7 }}"), "texts are no templates");
}
