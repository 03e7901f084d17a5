//! How checks look at what parsers saw in the source.

use crate::check::Finding;
use crate::evidence::{Code, Evidence, Habit, HabitKind, Subject};
use crate::render::text::count;

/// How many places a sentence names.
const NAMED: usize = 3;

/// The code that was read, or why there is none to look at.
pub fn code(evidence: &Evidence) -> Result<&Code, String> {
    let read = evidence.source.as_ref().and_then(|s| s.code.as_ref());
    match read {
        None => Err("the source was not read (give it with --source DIR)".to_owned()),
        Some(code) if code.parsed() == 0 => {
            Err("no file of Python, JavaScript, TypeScript, Go or Rust was found in the source"
                .to_owned())
        }
        Some(code) => Ok(code),
    }
}

/// A suspicion for each place with the habit; one pass where there is none.
pub fn suspicions(evidence: &Evidence, kind: HabitKind, good: &str, fix: &str) -> Vec<Finding> {
    let code = match code(evidence) {
        Ok(code) => code,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let places = of_kind(code, kind);
    if places.is_empty() {
        return vec![absent(code, good)];
    }
    let suspicion = |habit: &&Habit| {
        let file = habit.at.file.clone();
        let subject = Subject::File { file, line: Some(habit.at.line) };
        Finding::fail(subject, habit.shown.clone(), fix).at(&habit.at).suspected()
    };
    places.iter().map(suspicion).collect()
}

/// One verdict for the whole source, with the first places.
pub fn verdict(evidence: &Evidence, kind: HabitKind, good: &str, fix: &str) -> Vec<Finding> {
    let code = match code(evidence) {
        Ok(code) => code,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let places = of_kind(code, kind);
    let Some(first) = places.first() else { return vec![absent(code, good)] };
    let named: Vec<String> =
        places.iter().take(NAMED).map(|h| format!("{} ({})", h.shown, h.at)).collect();
    let more = match places.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {}", count(more, "more place")),
    };
    vec![Finding::fail(Subject::Server, format!("{}{more}", named.join(", ")), fix).at(&first.at)]
}

fn of_kind(code: &Code, kind: HabitKind) -> Vec<&Habit> {
    code.habits.iter().filter(|h| h.kind == kind).collect()
}

/// What was looked at belongs to the verdict: nothing in two files is little.
pub fn absent(code: &Code, good: &str) -> Finding {
    let read = count(code.parsed() as usize, "file");
    let cut = if code.is_cut() { ", though not all there are" } else { "" };
    Finding::pass(Subject::Server, format!("{good} in {read}{cut}"))
}
