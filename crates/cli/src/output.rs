//! Reports in their formats: files are planned before the run and written after it.

use std::fs;
use std::path::{self, Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use proofmark_core::dimensions::Recording;
use proofmark_core::evidence::Evidence;
use proofmark_core::render::badge;
use proofmark_core::render::chart::{Colors, area_bars, area_radar};
use proofmark_core::render::csv::csv;
use proofmark_core::render::cyclonedx::cyclonedx;
use proofmark_core::render::definitions::definitions;
use proofmark_core::render::directory::directory;
use proofmark_core::render::enterprise::enterprise;
use proofmark_core::render::html::html;
use proofmark_core::render::json::json;
use proofmark_core::render::junit::junit;
use proofmark_core::render::markdown::markdown;
use proofmark_core::render::sarif::sarif;
use proofmark_core::render::terminal::{Detail, Style, terminal};
use proofmark_core::report::Report;
use proofmark_live::store;

use crate::args::{Format, Output};
use crate::picture;
use crate::screen::Screen;

/// The report files of one run.
#[derive(Debug)]
pub(crate) struct Files {
    files: Vec<(PathBuf, Format)>,
}

impl Files {
    /// Refuses what could not be written, before any work is done.
    pub(crate) fn plan(named: &[PathBuf]) -> Result<Files> {
        let mut files: Vec<(PathBuf, Format)> = Vec::new();
        for named in named {
            let (path, format) = place(named)?;
            if files.iter().any(|(other, _)| same_place(other, &path)) {
                bail!("-o {} is given twice; name each file once", path.display());
            }
            store::check_writable(&path)?;
            files.push((path, format));
        }
        Ok(Files { files })
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().map(|(path, _)| path)
    }

    /// Writes all of them, also when one fails; the errors of those that did.
    pub(crate) fn write(&self, report: &Report, evidence: &Evidence) -> (Vec<&Path>, Vec<String>) {
        let (mut written, mut failed) = (Vec::new(), Vec::new());
        let full = Style { detail: Detail::Full, ..Style::PLAIN };
        for (path, format) in &self.files {
            let result = bytes(*format, report, evidence, &full, path)
                .map_err(|e| format!("can't write {}: {e}", path.display()))
                .and_then(|b| store::write_atomic(path, &b).map_err(|e| e.to_string()));
            match result {
                Ok(()) => written.push(path.as_path()),
                Err(why) => failed.push(why),
            }
        }
        (written, failed)
    }
}

/// The report as it goes to standard output.
pub(crate) fn print(
    report: &Report,
    evidence: &Evidence,
    output: &Output,
    screen: &Screen,
) -> Result<()> {
    let text = draw(output.format, report, evidence, &screen.style(output.detail()))?;
    screen.print(&text)?;
    Ok(())
}

/// The content of a file: text, but for a chart whose name asks for pixels.
fn bytes(
    format: Format,
    report: &Report,
    evidence: &Evidence,
    style: &Style,
    path: &Path,
) -> Result<Vec<u8>> {
    let pixels = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
    if pixels && format == Format::Radar {
        return picture::png(&area_radar(report));
    }
    if pixels && format == Format::Bars {
        return picture::png(&area_bars(report));
    }
    Ok(draw(format, report, evidence, style)?.into_bytes())
}

/// A new format is a line here.
fn draw(format: Format, report: &Report, evidence: &Evidence, style: &Style) -> Result<String> {
    let full = Style { detail: Detail::Full, ..Style::PLAIN };
    Ok(match format {
        Format::Terminal => terminal(report, style) + &definitions(&report.suggestions),
        Format::Text => terminal(report, &full),
        Format::Ansi => terminal(report, &Style { color: true, ..full }),
        Format::Json => json(report)?,
        Format::Html => html(report, evidence)?,
        Format::Markdown => markdown(report),
        Format::Sarif => sarif(report)?,
        Format::Junit => junit(report),
        Format::Csv => csv(report),
        Format::Directory => directory(report)?,
        Format::Enterprise => enterprise(report)?,
        Format::Badge => badge::svg(report),
        Format::Shields => badge::endpoint(report)?,
        Format::Cyclonedx => cyclonedx(report)?,
        Format::Radar => area_radar(report).svg(Colors::Fixed),
        Format::Bars => area_bars(report).svg(Colors::Fixed),
        Format::TestReport => test_report(evidence)?,
    })
}

fn test_report(evidence: &Evidence) -> Result<String> {
    let recording = Recording::of_evidence(evidence);
    Ok(serde_json::to_string_pretty(&recording.to_json(&recording.server, ""))? + "\n")
}

/// Whether two paths name one file, as far as can be told before it exists.
pub(crate) fn same_place(a: &Path, b: &Path) -> bool {
    let whole = |p: &Path| fs::canonicalize(p).or_else(|_| path::absolute(p));
    match (whole(a), whole(b)) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), _) | (_, Err(_)) => a == b,
    }
}

/// `FILE`, whose name says how, or `FORMAT=FILE`.
fn place(named: &Path) -> Result<(PathBuf, Format)> {
    let text = named.to_string_lossy();
    if let Some((format, file)) = text.split_once('=')
        && let Ok(format) = Format::from_str(format, true)
        && !file.is_empty()
    {
        return Ok((PathBuf::from(file), format));
    }
    let name = named.file_name().unwrap_or_default().to_string_lossy();
    match Format::of_name(&name) {
        Some(format) => Ok((named.to_owned(), format)),
        None => bail!(
            "-o {text}: the name of the file says how the report is written; known are {}, or write FORMAT=FILE",
            Format::endings()
        ),
    }
}
