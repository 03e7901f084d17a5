//! Snapshots of the terminal report, and what hostile text may not do to it.

use super::*;
use crate::evidence::Subject;
use crate::render::{golden, text};

fn widest(text: &str) -> usize {
    text.lines().map(text::width).max().unwrap_or(0)
}

#[test]
fn the_golden_report_in_eighty_columns() {
    let text = terminal(&golden::report(), &Style::PLAIN);
    assert!(widest(&text) <= 80, "{text}");
    insta::assert_snapshot!("golden", text);
}

#[test]
fn the_golden_report_with_everything() {
    let style = Style { detail: Detail::Full, width: 100, ..Style::PLAIN };
    let text = terminal(&golden::report(), &style);
    assert!(widest(&text) <= 100, "{text}");
    insta::assert_snapshot!("golden_full", text);
}

#[test]
fn the_golden_report_in_ascii_on_a_narrow_terminal() {
    let style = Style { width: 44, unicode: false, ..Style::PLAIN };
    let text = terminal(&golden::report(), &style);
    assert!(text.is_ascii(), "{text}");
    assert!(widest(&text) <= 44, "{text}");
    insta::assert_snapshot!("golden_ascii_narrow", text);
}

#[test]
fn the_headline_alone_is_a_few_lines() {
    let style = Style { detail: Detail::Headline, ..Style::PLAIN };
    let text = terminal(&golden::report(), &style);
    assert!(text.lines().count() <= 8, "{text}");
    assert!(text.contains("71.4 REVIEW"), "{text}");
}

#[test]
fn a_server_that_did_not_come_up_gets_its_own_block() {
    insta::assert_snapshot!("down", terminal(&golden::down(), &Style::PLAIN));
}

#[test]
fn colour_changes_the_paint_and_not_the_words() {
    let painted = terminal(&golden::report(), &Style { color: true, ..Style::PLAIN });
    assert!(painted.contains("\x1b[1;31m"));
    let mut plain = String::new();
    let mut rest = painted.as_str();
    while let Some(at) = rest.find('\x1b') {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find('m').unwrap();
        rest = &rest[at + end + 1..];
    }
    plain.push_str(rest);
    assert_eq!(plain, terminal(&golden::report(), &Style::PLAIN));
}

#[test]
fn text_of_a_hostile_server_cannot_steer_the_terminal() {
    let evil = "\x1b]0;owned\x07\x1b[2J\r\n\u{202e}PASS 100\u{200b}\u{9b}31m";
    let mut report = golden::report();
    report.server.name = Some(evil.to_owned());
    report.server.version = Some(evil.to_owned());
    report.level = evil.to_owned();
    for tool in &mut report.tools {
        tool.name = evil.repeat(9);
        tool.why = evil.to_owned();
    }
    for finding in &mut report.findings {
        finding.subject = Subject::tool_named(evil);
        finding.says = evil.repeat(40);
        finding.fix = Some(evil.to_owned());
    }
    for fix in &mut report.recommendations {
        fix.fix = evil.to_owned();
    }
    for area in &mut report.areas {
        area.title = evil.to_owned();
    }
    for detail in [Detail::Headline, Detail::Normal, Detail::Full] {
        let text = terminal(&report, &Style { detail, ..Style::PLAIN });
        let bad = text.chars().find(|c| *c != '\n' && (c.is_control() || *c == '\u{202e}'));
        assert_eq!(bad, None, "{text}");
        assert!(!text.contains('\u{200b}'));
        assert!(widest(&text) <= 80, "{text}");
    }
}

#[test]
fn words_wider_than_the_terminal_are_broken() {
    let mut report = golden::report();
    report.server.name = Some("長".repeat(200));
    let text = terminal(&report, &Style { width: 41, ..Style::PLAIN });
    assert!(widest(&text) <= 41, "{text}");
}
