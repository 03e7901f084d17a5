//! A check list on a terminal: what is to be fixed, what is to be asked, what is met.

use super::sheet::{Paint, Sheet, faint, plain, strong};
use super::{Detail, Style};
use crate::preflight::{Answer, Preflight};
use crate::render::preflight::summary;

pub fn preflight(list: &Preflight, style: &Style) -> String {
    let mut sheet = Sheet::new(*style);
    let paint = if list.holds() { Paint::Good } else { Paint::Bad };
    let title = format!("{}  ", list.directory.title().to_uppercase());
    sheet.flow(0, 2, &[strong(title), (paint, summary(list))]);
    sheet.flow(0, 2, &[faint(list.server.clone())]);
    if style.detail == Detail::Headline {
        return sheet.finish();
    }
    let parts = [
        ("TO FIX", Answer::Fail, Paint::Bad),
        ("ASK A HUMAN", Answer::Ask, Paint::Fair),
        ("MET", Answer::Pass, Paint::Good),
    ];
    for (title, answer, paint) in parts {
        if list.count(answer) > 0 {
            sheet.heading(title, "");
        }
        for item in list.items.iter().filter(|i| i.verdict == answer) {
            let lines = if style.detail == Detail::Full { 12 } else { 3 };
            let says = sheet.shortened(&item.says, 4, lines);
            sheet.flow(2, 4, &[(paint, item.title.to_owned()), plain(format!(": {says}"))]);
        }
    }
    sheet.finish()
}
