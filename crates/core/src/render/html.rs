//! The report as one HTML file that needs nothing else: the overview is written out, everything
//! long is data in the page that a script draws when it is looked at.

mod coverage;
mod findings;
mod island;
mod losses;
mod overview;
mod requirements;
mod texts;
mod tools;
mod transcript;

#[cfg(test)]
mod tests;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Output, State, Value, context, escape_formatter};
use serde::Serialize;
use thiserror::Error;

use crate::evidence::Evidence;
use crate::render::chart::{Colors, area_radar, escaped};
use crate::render::text::clean;
use crate::report::Report;
use texts::{Pool, Texts};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = concat!(
    include_str!("html/css/base.css"),
    include_str!("html/css/overview.css"),
    include_str!("html/css/details.css"),
);
const SCRIPT: &str = concat!(
    "'use strict';\n(() => {\n",
    include_str!("html/js/dom.js"),
    include_str!("html/js/json.js"),
    include_str!("html/js/exchange.js"),
    include_str!("html/js/findings.js"),
    include_str!("html/js/tools.js"),
    include_str!("html/js/tables.js"),
    include_str!("html/js/transcript.js"),
    include_str!("html/js/main.js"),
    "})();\n",
);

#[derive(Debug, Error)]
pub enum HtmlError {
    #[error("the page could not be composed: {0}; this is a bug in proofmark, please report it")]
    Template(#[from] minijinja::Error),
    #[error("the report has no JSON form: {0}; this is a bug in proofmark, please report it")]
    Data(#[from] serde_json::Error),
}

/// All that is drawn by the script. Texts stand in one pool and are named by their place in it.
#[derive(Serialize)]
struct Data<'a> {
    areas: Vec<(&'a str, &'a str)>,
    checks: Vec<findings::CheckRow<'a>>,
    findings: Vec<findings::FindingRow<'a>>,
    tools: Vec<tools::ToolRow<'a>>,
    requirements: requirements::Table,
    coverage: coverage::Map<'a>,
    transcript: transcript::Table<'a>,
    texts: Texts,
}

/// The same report and evidence give the same bytes.
pub fn html(report: &Report, evidence: &Evidence) -> Result<String, HtmlError> {
    let mut pool = Pool::default();
    let (checks, findings) = findings::rows(report, evidence, &mut pool);
    let data = Data {
        areas: report.areas.iter().map(|a| (a.id.as_str(), a.title.as_str())).collect(),
        checks,
        findings,
        tools: tools::rows(report, evidence, &mut pool),
        requirements: requirements::table(report, &mut pool),
        coverage: coverage::map(report, evidence),
        transcript: transcript::table(report, evidence, &mut pool),
        texts: pool.finish(),
    };
    let page = context! {
        overview => Serde(overview::overview(report)),
        rubrics => Serde(losses::rubrics(report)),
        radar => Value::from_safe_string(area_radar(report).svg(Colors::Page)),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        data => Value::from_safe_string(island::json(&data)?),
        // A server would have to know the fingerprint of what it is about to say.
        nonce => &report.evidence_digest,
    };
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(visible);
    environment.add_filter("prose", prose);
    Ok(environment.render_str(PAGE, page)? + "\n")
}

/// What stands between backticks is code.
fn prose(text: String) -> Value {
    let mut out = String::new();
    let pieces: Vec<&str> = text.split('`').collect();
    for (n, piece) in pieces.iter().enumerate() {
        let piece = escaped(piece);
        match n % 2 {
            0 => out.push_str(&piece),
            _ if n + 1 < pieces.len() => out.push_str(&format!("<code>{piece}</code>")),
            _ => out.push_str(&format!("`{piece}")),
        }
    }
    Value::from_safe_string(out)
}

/// Nothing of unknown origin hides in the page: not as mark-up, and not as invisible characters.
fn visible(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), minijinja::Error> {
    match value.as_str() {
        Some(text) if !value.is_safe() => escape_formatter(out, state, &Value::from(clean(text))),
        Some(_) | None => escape_formatter(out, state, value),
    }
}
