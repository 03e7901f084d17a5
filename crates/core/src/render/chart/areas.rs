//! The areas of a report as a radar and as bars.

use super::radar::{Series, radar};
use super::scene::{Anchor, Ink, Scene, Shape};
use crate::render::text::{clip, points};
use crate::report::{AreaReport, AreaStatus, Report};

/// What does not apply is left out; what was not seen keeps its axis and gets no corner.
pub fn area_radar(report: &Report) -> Scene {
    let areas: Vec<&AreaReport> = shown(report).collect();
    let axes: Vec<(String, String)> = areas.iter().map(|a| (a.title.clone(), value(a))).collect();
    let series = Series {
        name: None,
        shares: areas.iter().map(|a| seen(a).map(|s| s / 100.0)).collect(),
        bounds: areas.iter().map(|a| a.bounds.map(|b| b / 100.0)).collect(),
    };
    radar(&title(report), &axes, &[series])
}

/// A bar for each area.
pub fn area_bars(report: &Report) -> Scene {
    const LEFT: f64 = 190.0;
    const FULL: f64 = 340.0;
    const STEP: f64 = 34.0;
    let areas: Vec<&AreaReport> = shown(report).collect();
    let height = 70.0 + STEP * areas.len() as f64;
    let mut scene = Scene { width: 640.0, height, title: title(report), shapes: Vec::new() };
    let (at, words) = ((20.0, 32.0), clip(&scene.title, 84, "…"));
    let (anchor, size) = (Anchor::Start, 14.0);
    scene.shapes.push(Shape::Text { at, anchor, size, bold: true, ink: Ink::Text, words });
    for (n, area) in areas.iter().enumerate() {
        let y = 56.0 + STEP * n as f64;
        scene.text((LEFT - 12.0, y + 14.0), Anchor::End, clip(&area.title, 24, "…"));
        let bar = |width: f64, ink| Shape::Bar { at: (LEFT, y), size: (width, 18.0), ink };
        scene.shapes.push(bar(FULL, Ink::Grid));
        if let Some(score) = seen(area) {
            scene.shapes.push(bar(FULL * score / 100.0, Ink::Series(0)));
        }
        scene.text((LEFT + FULL + 12.0, y + 14.0), Anchor::Start, value(area));
    }
    scene
}

fn shown(report: &Report) -> impl Iterator<Item = &AreaReport> {
    report.areas.iter().filter(|a| match a.status {
        AreaStatus::Scored | AreaStatus::Unobserved => true,
        AreaStatus::NotApplicable | AreaStatus::Info => false,
    })
}

/// An area of which nothing was seen may count as something; it is no measurement.
fn seen(area: &AreaReport) -> Option<f64> {
    area.score.filter(|_| area.status == AreaStatus::Scored)
}

fn value(area: &AreaReport) -> String {
    seen(area).map_or("not seen".to_owned(), points)
}

fn title(report: &Report) -> String {
    let server = report.server.name.as_deref().unwrap_or("the server");
    let score = report.score.map_or("no score".to_owned(), points);
    format!("{server}: {score} {} by {}", report.level, report.rubric.title)
}
