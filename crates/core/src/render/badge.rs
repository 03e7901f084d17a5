//! A badge with the score and the level: as SVG, and as what shields.io reads from an address.

use serde::Serialize;

use super::escape;
use super::text::{points, width};
use crate::report::Report;

const LABEL: &str = "proofmark";

/// What <https://shields.io/badges/endpoint-badge> takes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint {
    schema_version: u8,
    label: &'static str,
    message: String,
    color: &'static str,
    is_error: bool,
}

pub fn endpoint(report: &Report) -> Result<String, serde_json::Error> {
    let badge = Endpoint {
        schema_version: 1,
        label: LABEL,
        message: message(report),
        color: color(report).trim_start_matches('#'),
        is_error: report.score.is_none(),
    };
    Ok(serde_json::to_string_pretty(&badge)? + "\n")
}

pub fn svg(report: &Report) -> String {
    let message = message(report);
    let (left, right) = (wide(LABEL), wide(&message));
    let (all, said) = (left + right, escape::xml(&message));
    let place = |from: usize, of: usize| (from * 2 + of) as f64 / 2.0;
    let (first, second) = (place(0, left), place(left, right));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" \
         aria-label=\"{LABEL}: {said}\">\n\
         <title>{LABEL}: {said}</title>\n\
         <clipPath id=\"r\"><rect width=\"{all}\" height=\"20\" rx=\"3\"/></clipPath>\n\
         <g clip-path=\"url(#r)\">\n\
         <rect width=\"{left}\" height=\"20\" fill=\"#444\"/>\n\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{}\"/>\n\
         </g>\n\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n\
         <text x=\"{first}\" y=\"14\">{LABEL}</text>\n\
         <text x=\"{second}\" y=\"14\">{said}</text>\n\
         </g>\n\
         </svg>\n",
        color(report)
    )
}

fn message(report: &Report) -> String {
    match report.score {
        Some(score) => format!("{} {}", points(score), report.level),
        None => "not assessed".to_owned(),
    }
}

/// Dark enough for white letters.
fn color(report: &Report) -> &'static str {
    match report.score {
        None => "#6b6b6b",
        Some(_) if report.level == "FAIL" || report.held_back.is_some() => "#b3261e",
        Some(s) if s >= 75.0 => "#1a7f37",
        Some(s) if s >= 50.0 => "#9a6700",
        Some(_) => "#b3261e",
    }
}

/// Pixels, roughly: the letters of the font are about seven wide.
fn wide(text: &str) -> usize {
    width(text) * 7 + 12
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{golden, hostile};

    #[test]
    fn the_golden_report_as_badge() {
        insta::assert_snapshot!("svg", svg(&golden::report()));
        insta::assert_snapshot!("endpoint", endpoint(&golden::report()).unwrap());
    }

    #[test]
    fn a_server_that_stayed_away_is_not_painted_like_one_that_was_seen() {
        let text = endpoint(&golden::down()).unwrap();
        assert!(text.contains("not assessed") && text.contains("\"isError\": true"), "{text}");
        assert!(svg(&golden::down()).contains("#6b6b6b"));
    }

    #[test]
    fn hostile_text_in_a_level_stays_text() {
        let report = Report { level: hostile::TEXT.to_owned(), ..golden::report() };
        let drawn = svg(&report);
        assert_eq!(drawn.matches('<').count(), svg(&golden::report()).matches('<').count());
        hostile::assert_no_controls(&drawn.replace('\n', ""));
    }
}
