//! `dimensions`: recorded suites judged in five dimensions, one or many at once.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use proofmark_core::dimensions::ask::AnswerBook;
use proofmark_core::dimensions::{Evaluation, Profile, Recording};
use proofmark_core::render::chart::Colors;
use proofmark_core::render::dimensions as render;
use proofmark_live::store;

use crate::args::{Dimensions, Format, Output, Score};
use crate::judge::{self, Judge};
use crate::output::same_place;
use crate::picture;
use crate::screen::Screen;
use crate::verdict;

pub(super) fn run(args: &Dimensions, screen: &Screen) -> Result<ExitCode> {
    let bands = Profile::from(args.bands.bands);
    let charts = Charts::plan(&args.output.output, &args.files)?;
    if args.export.is_some() && args.files.len() != 1 {
        bail!("--export writes one test report; name one file to export, not {}", args.files.len());
    }
    if args.answers.is_some() && args.files.len() != 1 {
        bail!("--answers holds what was said about one file; name one, not {}", args.files.len());
    }
    let note = |text: &str| screen.note_unless(args.output.quiet, text);
    let model = Judge::of(&args.judge, &note)?;
    judge::check_place(args.answers.as_deref(), &args.files, model.is_some())?;
    let mut suites = args.files.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
    if let (Some(path), [suite]) = (&args.export, suites.as_slice()) {
        export(path, &suite.recording)?;
    }
    for suite in &mut suites {
        let file = args.answers.as_deref();
        let said = judge::answers(model.as_ref(), &args.judge, file, &suite.recording, &note)?;
        suite.answers = said.or(suite.answers.take());
    }
    evaluate(&suites, bands, &charts, &args.output, screen)
}

/// Cases, and what a model said of them.
struct Suite {
    recording: Recording,
    answers: Option<AnswerBook>,
}

/// One test report, given to `score`.
pub(super) fn score(
    bytes: &[u8],
    args: &Score,
    model: Option<&Judge>,
    screen: &Screen,
) -> Result<ExitCode> {
    let path = &args.evidence;
    let bands = match args.judging.rubric.as_deref().unwrap_or("dimensions") {
        "dimensions" => Profile::from(args.bands.bands),
        "dimensions-labels" => Profile::Labels,
        other => bail!(
            "--rubric {other}: a test report holds test cases, which only the dimensions rubric weighs; leave --rubric out"
        ),
    };
    let charts = Charts::plan(&args.output.output, std::slice::from_ref(path))?;
    let recording = Recording::parse(bytes).with_context(|| path.display().to_string())?;
    let note = |text: &str| screen.note_unless(args.output.quiet, text);
    let answers = judge::answers(model, &args.judge, args.answers.as_deref(), &recording, &note)?;
    let suite = Suite { recording, answers };
    evaluate(&[suite], bands, &charts, &args.output, screen)
}

/// Whether a file is a test report rather than evidence.
pub(super) fn is_report(path: &Path, bytes: &[u8]) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    Recording::claims(&name, bytes)
}

fn evaluate(
    suites: &[Suite],
    bands: Profile,
    charts: &Charts,
    output: &Output,
    screen: &Screen,
) -> Result<ExitCode> {
    let evaluations = suites
        .iter()
        .map(|s| Ok(Evaluation::with_answers(&s.recording, bands, s.answers.as_ref())?))
        .collect::<Result<Vec<Evaluation>>>()?;
    screen.print(&shown(&evaluations, output, screen)?)?;
    for path in charts.write(&evaluations)? {
        screen.note_unless(output.quiet, &format!("written to {}", path.display()));
    }
    Ok(verdict::of_evaluations(&evaluations))
}

fn shown(evaluations: &[Evaluation], output: &Output, screen: &Screen) -> Result<String> {
    let width = screen.limit().unwrap_or(100).min(100);
    Ok(match (output.format, evaluations) {
        (Format::Json, [one]) => json(one)?,
        (Format::Json, many) => json(many)?,
        (Format::Terminal, [one]) => render::terminal(one, width, output.verbose),
        (Format::Terminal, many) => {
            render::summary_terminal(many, screen.limit().unwrap_or(usize::MAX))
        }
        (Format::Text, all) => String::from_utf8(draw(all, Kind::Text)?)?,
        (Format::Markdown, all) => String::from_utf8(draw(all, Kind::Markdown)?)?,
        (Format::Csv, all) => String::from_utf8(draw(all, Kind::Csv)?)?,
        (
            Format::Ansi
            | Format::Sarif
            | Format::Junit
            | Format::Directory
            | Format::Enterprise
            | Format::Badge
            | Format::Shields
            | Format::Cyclonedx
            | Format::Html
            | Format::Radar
            | Format::Bars
            | Format::TestReport,
            _,
        ) => bail!(
            "--format: an evaluation is printed as terminal, text, json, markdown or csv; --export writes a test report"
        ),
    })
}

fn json(value: &(impl serde::Serialize + ?Sized)) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// A test report or evidence, told by content.
fn read(path: &Path) -> Result<Suite> {
    let bytes = store::read_bytes(path)?;
    if is_report(path, &bytes) {
        let recording = Recording::parse(&bytes).with_context(|| path.display().to_string())?;
        return Ok(Suite { recording, answers: None });
    }
    let evidence = store::evidence_of(path, &bytes)?;
    Ok(Suite { recording: Recording::of_evidence(&evidence), answers: evidence.answers })
}

fn export(path: &Path, recording: &Recording) -> Result<()> {
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_prefix("test_report_").unwrap_or(&name).to_owned();
    let text = json(&recording.to_json(&name, ""))?;
    Ok(store::write_atomic(path, text.as_bytes())?)
}

/// What a file can hold, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Markdown,
    Csv,
    Text,
    Radar,
    Boxes,
    RadarPicture,
    BoxesPicture,
}

#[derive(Debug)]
struct Charts {
    files: Vec<(PathBuf, Kind)>,
}

impl Charts {
    fn plan(paths: &[PathBuf], inputs: &[PathBuf]) -> Result<Charts> {
        let mut files = Vec::new();
        for path in paths {
            if inputs.iter().any(|input| same_place(input, path)) {
                bail!("-o {} would replace what is judged; name another file", path.display());
            }
            store::check_writable(path)?;
            files.push((path.clone(), kind_of(path)?));
        }
        Ok(Charts { files })
    }

    fn write(&self, evaluations: &[Evaluation]) -> Result<Vec<&Path>> {
        let mut written = Vec::new();
        for (path, kind) in &self.files {
            store::write_atomic(path, &draw(evaluations, *kind)?)?;
            written.push(path.as_path());
        }
        Ok(written)
    }
}

fn draw(evaluations: &[Evaluation], kind: Kind) -> Result<Vec<u8>> {
    let text = match (kind, evaluations) {
        (Kind::Json, [one]) => json(one)?,
        (Kind::Json, many) => json(many)?,
        (Kind::Markdown, [one]) => render::markdown(one),
        (Kind::Markdown, many) => render::summary(many),
        (Kind::Csv, all) => render::csv(all),
        (Kind::Text, all) => {
            all.iter().map(|e| render::terminal(e, 100, true)).collect::<Vec<_>>().join("\n")
        }
        (Kind::Radar, all) => render::radar(all).svg(Colors::Fixed),
        (Kind::Boxes, all) => render::boxes(all).svg(Colors::Fixed),
        (Kind::RadarPicture, all) => return picture::png(&render::radar(all)),
        (Kind::BoxesPicture, all) => return picture::png(&render::boxes(all)),
    };
    Ok(text.into_bytes())
}

fn kind_of(path: &Path) -> Result<Kind> {
    let name = path.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, e)| e);
    Ok(match extension {
        Some("json") => Kind::Json,
        Some("md") => Kind::Markdown,
        Some("csv") => Kind::Csv,
        Some("txt") => Kind::Text,
        Some("svg") if name.contains("box") => Kind::Boxes,
        Some("svg") => Kind::Radar,
        Some("png") if name.contains("box") => Kind::BoxesPicture,
        Some("png") => Kind::RadarPicture,
        Some(_) | None => bail!(
            "-o {}: an evaluation is written as .json, .md, .csv, .txt, .svg or .png (a radar, or boxes when the name says so)",
            path.display()
        ),
    })
}
