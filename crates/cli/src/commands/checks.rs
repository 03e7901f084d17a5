//! `checks`: the catalogue as a table or as JSON.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use proofmark_core::check::{Check, Class, Topic};
use proofmark_core::checks;
use proofmark_core::render::text::{clip, pad};
use serde::Serialize;

use crate::args::{Checks, ListFormat};
use crate::nearest::did_you_mean;
use crate::screen::Screen;

/// A check as machines read it.
#[derive(Serialize)]
struct Row {
    id: &'static str,
    topic: &'static str,
    severity: &'static str,
    facet: &'static str,
    class: Option<&'static str>,
    title: &'static str,
    requirements: Vec<&'static str>,
    probes: Vec<&'static str>,
}

pub(super) fn run(args: &Checks, screen: &Screen) -> Result<ExitCode> {
    let topic = args.topic.as_deref().map(topic).transpose()?;
    let chosen: Vec<&Check> =
        checks::all().into_iter().filter(|c| topic.is_none_or(|t| c.topic() == t)).collect();
    let text = match args.format {
        ListFormat::Json => {
            let rows: Vec<Row> = chosen.iter().map(|c| row(c)).collect();
            format!("{}\n", serde_json::to_string_pretty(&rows)?)
        }
        ListFormat::Terminal => table(&chosen, screen.limit()),
    };
    screen.print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn topic(name: &str) -> Result<Topic> {
    let known = || Topic::ALL.iter().map(|t| t.as_str());
    Topic::parse(name).ok_or_else(|| {
        let list: Vec<&str> = known().collect();
        let hint = did_you_mean(name, known());
        anyhow!("--topic {name}: no such topic{hint}; there are {}", list.join(", "))
    })
}

fn row(check: &Check) -> Row {
    Row {
        id: check.id,
        topic: check.topic().as_str(),
        severity: check.severity.as_str(),
        facet: check.facet.as_str(),
        class: check.class.map(Class::as_str),
        title: check.title,
        requirements: check.requirements.iter().map(|r| r.requirement).collect(),
        probes: check.needs.iter().map(|p| p.id).collect(),
    }
}

fn table(checks: &[&Check], limit: Option<usize>) -> String {
    let longest = |f: fn(&Check) -> usize| checks.iter().map(|c| f(c)).max().unwrap_or(0);
    let id = longest(|c| c.id.len());
    let facet = longest(|c| c.facet.as_str().len());
    let mut text = String::new();
    for check in checks {
        let line = format!(
            "{}  {}  {}  {}",
            pad(check.id, id),
            pad(check.severity.as_str(), 8),
            pad(check.facet.as_str(), facet),
            check.title
        );
        // A title that is cut can still be read with `explain`; a table that wraps cannot.
        text.push_str(&limit.map_or(line.clone(), |width| clip(&line, width.max(id + 20), "…")));
        text.push('\n');
    }
    text
}
