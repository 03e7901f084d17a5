//! The headline, the verdict on a server that did not come up, and the conditions of the run.

use super::sheet::{Paint, Sheet, Span, faint, name, plain, strong};
use super::{Detail, Style};
use crate::evidence::{Exit, IsolationLevel, Startup};
use crate::render::text::{count, points};
use crate::report::Report;
use crate::target::Transport;

pub(super) fn draw(sheet: &mut Sheet, report: &Report) {
    identity(sheet, report);
    if let Startup::Down { .. } = report.startup {
        down(sheet, report);
    } else {
        verdict(sheet, report);
    }
}

/// Who was asked, and how.
pub(super) fn identity(sheet: &mut Sheet, report: &Report) {
    let version = report.server.version.as_ref().map(|v| format!(" {v}")).unwrap_or_default();
    match &report.server.name {
        Some(name) => {
            sheet.flow(0, 2, &[strong(format!("{name}{version}"))]);
            sheet.flow(0, 2, &[faint(report.target.line())]);
        }
        None => sheet.flow(0, 2, &[strong(report.target.line())]),
    }
    if let Some(line) = about(report) {
        sheet.flow(0, 2, &[faint(line)]);
    }
}

/// Revision, transport, what it offers, what it is built with.
fn about(report: &Report) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(revision) = &report.conditions.revision {
        parts.push(format!("{revision} over {}", transport(report.conditions.transport)));
    }
    if matches!(report.startup, Startup::Up { .. }) {
        let server = &report.server;
        let mut offers = vec![count(server.tools, "tool")];
        let others = [
            (server.resources, "resource"),
            (server.templates, "template"),
            (server.prompts, "prompt"),
        ];
        offers.extend(others.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(n, noun)));
        parts.push(offers.join(", "));
    }
    if report.startup == Startup::NotTried {
        parts.push(
            "static only: nothing was started, so nothing that needs a running server was run"
                .to_owned(),
        );
    }
    if !report.server.distribution.is_empty() {
        let ways: Vec<String> =
            report.server.distribution.iter().map(ToString::to_string).collect();
        parts.push(format!("distributed by {}", ways.join(", ")));
    }
    if let Some(code) = &report.server.code {
        let files = count(code.files.values().sum::<u32>() as usize, "file");
        parts.push(format!("{files} of source, {}", count(code.tools.len(), "registration")));
    }
    if let Some(sdk) = &report.server.sdk {
        let version = sdk.version.as_ref().map(|v| format!(" {v}")).unwrap_or_default();
        parts.push(format!("built with {}{version}", sdk.name));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn verdict(sheet: &mut Sheet, report: &Report) {
    sheet.blank();
    let figure = report.score.map_or("no score".to_owned(), points);
    let mut spans =
        vec![(Paint::of_level(&report.level, report.score), format!("{figure} {}", report.level))];
    if report.score.is_some() {
        let [low, high] = report.bounds;
        spans.push(plain(format!(" · between {} and {}", points(low), points(high))));
    }
    let coverage = points(report.coverage);
    spans.push(plain(format!(" · on {coverage}\u{a0}% of what the rubric asks")));
    sheet.flow(2, 4, &spans);
    if let Some(why) = &report.held_back {
        sheet.flow(2, 4, &[(Paint::Fair, "held back: ".to_owned()), plain(why.clone())]);
    }
    if let Some(reuse) = &report.reuse {
        sheet.flow(2, 4, &[(Paint::Fair, "incremental: ".to_owned()), plain(reuse.says())]);
    }
    let rubric = format!("by {} {}", report.rubric.id, report.rubric.version);
    let mut spans: Vec<Span> = vec![faint(rubric)];
    for (id, other) in report.scores.iter().filter(|(id, _)| **id != report.rubric.id) {
        let figure = other.score.map_or("no score".to_owned(), points);
        spans.push(faint(format!(" · {id}: ")));
        spans.push((
            Paint::of_level(&other.level, other.score),
            format!("{figure} {}", other.level),
        ));
    }
    sheet.flow(2, 4, &spans);
}

fn down(sheet: &mut Sheet, report: &Report) {
    let Startup::Down { cause, says, way_out, exit, stderr_tail } = &report.startup else {
        return;
    };
    sheet.blank();
    let verdict = (Paint::Bad, "DID NOT COME UP".to_owned());
    sheet.flow(2, 4, &[verdict, plain(format!(" · {cause}"))]);
    sheet.flow(2, 4, &[plain(says.clone())]);
    let (how, number) = match exit {
        Some(Exit::Code { code }) => ("exit code", Some(*code)),
        Some(Exit::Signal { signal }) => ("ended by signal", Some(*signal)),
        None => ("", None),
    };
    if let Some(number) = number.filter(|n| !says.contains(&n.to_string())) {
        sheet.flow(2, 4, &[faint(format!("{how} {number}"))]);
    }
    sheet.flow(2, 11, &[strong("way out: "), plain(way_out.clone())]);
    if sheet.style.detail == Detail::Headline || stderr_tail.is_empty() {
        return;
    }
    sheet.blank();
    sheet.flow(2, 4, &[faint("its last words on stderr:")]);
    for line in stderr_tail {
        sheet.flow(4, 6, &[faint("| "), plain(line.clone())]);
    }
}

/// What must be known to repeat the run or to trust it.
pub(super) fn conditions(sheet: &mut Sheet, report: &Report) {
    let c = &report.conditions;
    let mut parts = vec![
        format!("isolation {}", isolation(c.isolation.level)),
        format!("profile {}", c.profile.as_str()),
        format!("seed {}", c.seed.0),
        format!("{} of {} calls", c.budget.made, c.budget.planned),
        format!("confidence {}", report.confidence.round()),
    ];
    if c.passive {
        parts.push("passive".to_owned());
    }
    if c.disposable {
        parts.push("disposable".to_owned());
    }
    if c.budget.restarts > 0 {
        parts.push(count(c.budget.restarts as usize, "restart"));
    }
    parts.push(format!("{}\u{a0}s", points(report.timings.wall_ms / 1000.0)));
    sheet.blank();
    sheet.flow(0, 2, &[faint(parts.join(" · "))]);
    if sheet.style.detail == Detail::Full {
        for note in &c.isolation.notes {
            sheet.flow(2, 4, &[faint(format!("isolation: {note}"))]);
        }
        let digest = format!("evidence {} · proofmark ", report.evidence_digest);
        sheet.flow(0, 2, &[faint(digest), name(report.proofmark.clone())]);
    }
}

pub(in crate::render) fn isolation(level: IsolationLevel) -> &'static str {
    match level {
        IsolationLevel::None => "none",
        IsolationLevel::Scratch => "scratch",
        IsolationLevel::Confined => "confined",
        IsolationLevel::Namespaces => "namespaces",
    }
}

pub(in crate::render) fn transport(transport: Transport) -> &'static str {
    match transport {
        Transport::Stdio => "stdio",
        Transport::Http => "Streamable HTTP",
        Transport::Sse => "HTTP+SSE",
        Transport::None => "nothing",
    }
}

impl Style {
    /// Whether there is room for bars.
    pub(super) fn is_wide(self) -> bool {
        self.columns() >= 64
    }
}
