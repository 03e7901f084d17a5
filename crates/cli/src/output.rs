//! Report files: what kind the extension asks for, checked before the run, written after it.

use std::fs;
use std::path::{self, Path, PathBuf};

use anyhow::{Result, bail};
use proofmark_core::evidence::Evidence;
use proofmark_core::render::chart::Colors;
use proofmark_core::render::cyclonedx::cyclonedx;
use proofmark_core::render::definitions::definitions;
use proofmark_core::render::html::html;
use proofmark_core::render::json::json;
use proofmark_core::render::terminal::{Detail, Style, terminal};
use proofmark_core::report::Report;
use proofmark_live::store;

use crate::args::{Format, Output};
use crate::picture;
use crate::screen::Screen;

/// What a report file can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Text,
    Ansi,
    Html,
    Svg,
    Png,
    Bom,
}

const KINDS: &[(&str, Kind)] = &[
    ("json", Kind::Json),
    ("txt", Kind::Text),
    ("ansi", Kind::Ansi),
    ("html", Kind::Html),
    ("svg", Kind::Svg),
    ("png", Kind::Png),
];

/// The report files of one run.
#[derive(Debug)]
pub(crate) struct Files {
    files: Vec<(PathBuf, Kind)>,
}

impl Files {
    /// Refuses what could not be written, before any work is done.
    pub(crate) fn plan(paths: &[PathBuf]) -> Result<Files> {
        let mut files: Vec<(PathBuf, Kind)> = Vec::new();
        for path in paths {
            if files.iter().any(|(other, _)| same_place(other, path)) {
                bail!("-o {} is given twice; name each file once", path.display());
            }
            let kind = kind_of(path)?;
            store::check_writable(path)?;
            files.push((path.clone(), kind));
        }
        Ok(Files { files })
    }

    /// Writes all of them, also when one fails; the errors of those that did.
    pub(crate) fn write(&self, report: &Report, evidence: &Evidence) -> (Vec<&Path>, Vec<String>) {
        let (mut written, mut failed) = (Vec::new(), Vec::new());
        for (path, kind) in &self.files {
            let bytes = draw(report, evidence, *kind, path);
            let result = bytes
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
    let text = match output.format {
        Format::Terminal => {
            terminal(report, &screen.style(output.detail())) + &definitions(&report.suggestions)
        }
        Format::Json => json(report)?,
        Format::Html => html(report, evidence)?,
        Format::Cyclonedx => cyclonedx(report)?,
    };
    screen.print(&text)?;
    Ok(())
}

/// Whether two paths name one file, as far as can be told before it exists.
pub(crate) fn same_place(a: &Path, b: &Path) -> bool {
    let whole = |p: &Path| fs::canonicalize(p).or_else(|_| path::absolute(p));
    match (whole(a), whole(b)) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), _) | (_, Err(_)) => a == b,
    }
}

fn draw(report: &Report, evidence: &Evidence, kind: Kind, path: &Path) -> Result<Vec<u8>> {
    let full = Style { detail: Detail::Full, ..Style::PLAIN };
    let text = match kind {
        Kind::Json => json(report)?,
        Kind::Bom => cyclonedx(report)?,
        Kind::Html => html(report, evidence)?,
        Kind::Text => terminal(report, &full),
        Kind::Ansi => terminal(report, &Style { color: true, ..full }),
        Kind::Svg => picture::chart(path, report).svg(Colors::Fixed),
        Kind::Png => return picture::png(&picture::chart(path, report)),
    };
    Ok(text.into_bytes())
}

/// The usual name of a bill of materials; its extension alone would make it a report.
const BOM: &str = ".cdx.json";

fn kind_of(path: &Path) -> Result<Kind> {
    if path.to_string_lossy().to_lowercase().ends_with(BOM) {
        return Ok(Kind::Bom);
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let kind = KINDS.iter().find(|(known, _)| Some(*known) == extension.as_deref());
    match (kind, extension) {
        (Some((_, kind)), _) => Ok(*kind),
        (None, Some(other)) => {
            bail!("-o {}: no report is written as .{other}; known are {}", path.display(), known())
        }
        (None, None) => bail!(
            "-o {}: the extension says how to write the report; use one of {}",
            path.display(),
            known()
        ),
    }
}

fn known() -> String {
    let names = KINDS.iter().map(|(name, _)| format!(".{name}"));
    names.chain([BOM.to_owned()]).collect::<Vec<_>>().join(", ")
}
