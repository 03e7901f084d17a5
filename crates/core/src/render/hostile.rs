//! A report in which every text of the server tries to be more than text.

use super::golden;
use crate::evidence::Subject;
use crate::report::Report;

/// A formula, HTML, Markdown, a terminal escape, links and placeholders of SARIF, the end of a
/// comment and of a section, hidden characters, line ends.
pub(super) const TEXT: &str = "=HYPERLINK(\"http://evil.example\") <script>alert(1)</script> \
    </details> ![x](http://evil.example/p.png) [see](1) {0} --> ]]> `code` | cell @everyone #1 \
    \x1b[31mred\x1b[0m \u{202e}flip\r\n# heading";

pub(super) fn report() -> Report {
    let mut report = golden::report();
    report.server.name = Some(TEXT.to_owned());
    report.server.version = Some(TEXT.to_owned());
    report.held_back = Some(TEXT.to_owned());
    for tool in &mut report.tools {
        tool.name = format!("{TEXT} {}", tool.name);
        tool.why = TEXT.to_owned();
    }
    for finding in &mut report.findings {
        finding.says = TEXT.to_owned();
        finding.fix = Some(TEXT.to_owned());
        finding.settled.suppressed = None;
        finding.reproduce = finding.reproduce.as_ref().map(|_| TEXT.to_owned());
        finding.subject = Subject::param(TEXT, TEXT);
    }
    if let Some(finding) = report.findings.first_mut() {
        finding.subject = Subject::File { file: TEXT.to_owned(), line: Some(3) };
    }
    for recommendation in &mut report.recommendations {
        recommendation.fix = TEXT.to_owned();
    }
    report
}

/// Nothing is left that steers a terminal or hides from the reader.
pub(super) fn assert_no_controls(text: &str) {
    let found = text.chars().find(|c| c.is_control() || *c == '\u{202e}');
    assert_eq!(found, None, "{text}");
}
