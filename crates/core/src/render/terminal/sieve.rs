//! What was suppressed, hidden, known before, and which suppressions no longer do anything.

use super::sheet::{Paint, Sheet, faint, name, plain, strong};
use crate::render::text::count;
use crate::report::Report;
use crate::sieve::{SieveReport, SuppressionReport, SuppressionState};

pub(super) fn draw(sheet: &mut Sheet, report: &Report) {
    let Some(sieve) = &report.sieve else { return };
    let idle: Vec<&SuppressionReport> =
        sieve.suppressions.iter().filter(|s| s.state != SuppressionState::Applied).collect();
    let compared = report.findings.iter().any(|f| f.settled.baseline.is_some());
    if sieve.suppressed + sieve.hidden + sieve.gone.len() + idle.len() == 0 && !compared {
        return;
    }
    sheet.heading("SETTLED", &summary(sieve, compared));
    for finding in &report.findings {
        if let Some(reason) = &finding.settled.suppressed {
            let spans = [
                name(finding.check),
                plain(format!(" · {}: {}", finding.subject, sheet.shortened(&finding.says, 4, 2))),
                faint(format!(" (suppressed: {reason})")),
            ];
            sheet.flow(2, 4, &spans);
        }
    }
    for one in idle {
        let place = &one.suppression.place;
        let (paint, what) = match (one.state, one.suppression.expires) {
            (SuppressionState::Expired, Some(day)) => (
                Paint::Bad,
                format!("expired on {day} and no longer applies: mend it, or renew it"),
            ),
            (
                SuppressionState::Applied | SuppressionState::Unused | SuppressionState::Expired,
                _,
            ) => (Paint::Faint, "suppresses nothing: nothing of the kind failed".to_owned()),
        };
        sheet.flow(2, 4, &[strong(format!("{place} ")), (paint, what)]);
    }
}

fn summary(sieve: &SieveReport, compared: bool) -> String {
    let mut parts = vec![format!("{} suppressed, not scored", count(sieve.suppressed, "failure"))];
    if sieve.hidden > 0 {
        parts.push(format!("{} below the confidence asked for", sieve.hidden));
    }
    if compared {
        let gone = sieve.gone.len();
        parts.push(format!(
            "{} known, {} new, {gone} gone since the baseline",
            sieve.known, sieve.new
        ));
    }
    parts.join(" · ")
}
