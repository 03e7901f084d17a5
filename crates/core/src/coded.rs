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

/// A suspicion for each file with the habit; one pass where there is none.
pub fn suspicions(evidence: &Evidence, kind: HabitKind, good: &str, fix: &str) -> Vec<Finding> {
    let code = match code(evidence) {
        Ok(code) => code,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let places = of_kind(code, kind);
    if places.is_empty() {
        return vec![absent(code, good)];
    }
    let of_one_file = places.chunk_by(|a, b| a.at.file == b.at.file);
    of_one_file.filter_map(|places| suspicion(places, fix)).collect()
}

/// One for each file, at its first line.
fn suspicion(places: &[&Habit], fix: &str) -> Option<Finding> {
    let first = &places.first()?.at;
    let subject = Subject::File { file: first.file.clone(), line: Some(first.line) };
    let named = places.iter().map(|h| match h.at == *first {
        true => h.shown.clone(),
        false => format!("{} in line {}", h.shown, h.at.line),
    });
    Some(Finding::fail(subject, some(named.collect()), fix).at(first).suspected())
}

/// The first few, and how many more there are.
fn some(named: Vec<String>) -> String {
    let more = match named.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first: Vec<String> = named.into_iter().take(NAMED).collect();
    format!("{}{more}", first.join(", "))
}

/// One verdict for the whole source, with the first places.
pub fn verdict(evidence: &Evidence, kind: HabitKind, good: &str, fix: &str) -> Vec<Finding> {
    let code = match code(evidence) {
        Ok(code) => code,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let places = of_kind(code, kind);
    let Some(first) = places.first() else { return vec![absent(code, good)] };
    let named = places.iter().map(|h| format!("{} ({})", h.shown, h.at)).collect();
    vec![Finding::fail(Subject::Server, some(named), fix).at(&first.at)]
}

fn of_kind(code: &Code, kind: HabitKind) -> Vec<&Habit> {
    let mut places: Vec<&Habit> = code.habits.iter().filter(|h| h.kind == kind).collect();
    places.sort_by_key(|h| &h.at);
    places
}

/// What was looked at belongs to the verdict: nothing in two files is little.
pub fn absent(code: &Code, good: &str) -> Finding {
    let read = count(code.parsed() as usize, "file");
    let cut = if code.is_cut() { ", though not all there are" } else { "" };
    Finding::pass(Subject::Server, format!("{good} in {read}{cut}"))
}
