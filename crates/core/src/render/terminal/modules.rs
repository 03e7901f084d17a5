//! The modules of the scoring guide, one line each.

use super::Detail;
use super::sheet::{Paint, Sheet, faint, hard, plain};
use crate::render::text::{pad, width};
use crate::report::{ModuleStatus, Report};

pub(super) fn draw(sheet: &mut Sheet, report: &Report) {
    if sheet.style.detail != Detail::Full || report.modules.is_empty() {
        return;
    }
    sheet.heading("MODULES", "of the scoring guide; they take no part in the score");
    let column = report.modules.iter().map(|m| width(&m.title)).max().unwrap_or(0);
    for module in &report.modules {
        let paint = match module.status {
            ModuleStatus::Pass => Paint::Good,
            ModuleStatus::Verify => Paint::Fair,
            ModuleStatus::Fail => Paint::Bad,
            ModuleStatus::NotApplicable | ModuleStatus::Info | ModuleStatus::NotRun => Paint::Faint,
        };
        let spans = [
            plain(hard(&pad(&module.title, column))),
            plain(hard("  ")),
            (paint, hard(&format!("{:<7}", module.status))),
            faint(format!("  {}", sheet.shortened(&module.why, column + 13, 3))),
        ];
        sheet.flow(2, column + 13, &spans);
    }
}
