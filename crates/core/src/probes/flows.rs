//! Which tool shows what another one is given: each tool that writes is given a word, and those that
//! read are looked at before and after. Where an answer changes, something of the word got there.

use crate::arguments::Slot;
use crate::evidence::{Evidence, Exchange, Micros, Profile, Tool};
use crate::harvest::singular;
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::benign::{self, Tried};
use crate::probes::claims::{is_steady, shown};
use crate::probes::valid_call;
use crate::promise::mentions;
use crate::response::is_accepted;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "flows", hostile: true, lane: Lane::Alone, plan };

/// Writing tools, places of each, and tools that are looked at.
const WRITERS: usize = 12;
const PLACES: usize = 4;
const READERS: usize = 6;
const SLOW: Micros = Micros(250_000);

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    if evidence.conditions.profile == Profile::Quick || !is_ready(evidence) {
        return Vec::new();
    }
    let writers = evidence.tools().filter(|t| evidence.risk_of(&t.name) == Risk::Writes);
    let writers = writers.filter(|t| valid_call::succeeded(evidence, &t.name));
    writers.take(WRITERS).flat_map(|tool| of_writer(evidence, tool, seed)).collect()
}

/// Ordinary use has been seen, and the places are known.
fn is_ready(evidence: &Evidence) -> bool {
    let mut benign = evidence.of(benign::PROBE.id).peekable();
    benign.peek().is_some() && benign.all(|x| !x.reply.is_pending())
}

/// Whether everything that is looked at has been seen.
pub fn is_over(evidence: &Evidence) -> bool {
    is_ready(evidence) && evidence.of(PROBE.id).all(|x| !x.reply.is_pending())
}

fn of_writer(evidence: &Evidence, tool: &Tool, seed: Seed) -> Vec<Call> {
    let readers = readers(evidence, tool);
    let tried = benign::tried(evidence, tool);
    let mut calls = look(&readers, &format!("before {}", tool.name));
    for tried in tried.iter().filter(|t| is_kept(t)).take(PLACES) {
        let label = label(tried);
        let word = seed.word(&format!("{} {label}", tool.name), 9);
        let Some((arguments, _)) = tried.place.filled(tool, &word.into()) else { continue };
        calls.push(Call::tool(&tool.name, label, arguments).about(tried.place.subject()));
        calls.extend(look(&readers, &after(tool, tried)));
    }
    if readers.is_empty() { Vec::new() } else { calls }
}

/// A text of the usual call, which the server minds to keep or not.
pub fn is_kept(tried: &Tried<'_>) -> bool {
    tried.place.slot == Slot::Text && tried.place.choice.is_none() && !tried.closed
}

fn label(tried: &Tried<'_>) -> String {
    format!("word in {}", tried.place.location())
}

fn after(tool: &Tool, tried: &Tried<'_>) -> String {
    format!("after {} in {}", tool.name, tried.place.location())
}

fn look(readers: &[(&Tool, &Exchange)], label: &str) -> Vec<Call> {
    let ask = |(tool, x): &(&Tool, &Exchange)| {
        Some(Call::tool(&tool.name, label, x.arguments()?.clone()))
    };
    readers.iter().filter_map(ask).collect()
}

/// Tools that read and work, those first that are about the same things.
pub fn readers<'a>(evidence: &'a Evidence, tool: &Tool) -> Vec<(&'a Tool, &'a Exchange)> {
    // "Run all with run_watches": what it keeps is meant for that one.
    let about = tool.description.as_deref().unwrap_or_default();
    let meant = |t: &Tool| {
        t.name.len() > 4
            && about.contains(&t.name)
            && Risk::of_tool(t) < Risk::Destroys
            && t.required().next().is_none()
    };
    let reads = |t: &&Tool| t.name != tool.name && (benign::looks(t) || meant(t));
    // They are asked many times.
    let quick = |x: &&Exchange| x.took < SLOW;
    let works = |t: &'a Tool| Some((t, valid_call::working(evidence, &t.name).filter(quick)?));
    let mut found: Vec<_> = evidence.tools().filter(reads).filter_map(works).collect();
    // Where there is no kin, those that show what was done.
    let tells = |t: &Tool| mentions(t, "activity audit history log logs recent");
    found.sort_by_key(|(t, _)| (std::cmp::Reverse(kinship(tool, t)), !tells(t)));
    found.truncate(READERS);
    found
}

/// How many of the things that one tool's name tells of the other tells of as well, in its name or
/// in what is said of it.
pub fn kinship(tool: &Tool, other: &Tool) -> usize {
    let things = |text: &str| {
        let nouns = words(text).into_iter().filter(|w| w.len() > 2 && Risk::of_word(w).is_none());
        nouns.map(|w| singular(&w)).collect::<Vec<String>>()
    };
    let own = things(&tool.name);
    let about = things(other.description.as_deref().unwrap_or_default());
    let named = things(&other.name);
    let count = |all: &[String]| own.iter().filter(|thing| all.contains(thing)).count();
    2 * count(&named) + count(&about)
}

/// The tools whose answers changed when this place was given a word.
pub fn shown_by<'a>(evidence: &'a Evidence, tool: &Tool, tried: &Tried<'_>) -> Vec<&'a Tool> {
    let label = after(tool, tried);
    let looks = evidence.of(PROBE.id).filter(|x| x.label == label && is_accepted(evidence, x));
    let changed = |after: &&Exchange| {
        let earlier = evidence.of(PROBE.id).filter(|x| x.subject == after.subject);
        let before = earlier.filter(|x| x.id < after.id && is_accepted(evidence, x)).last();
        before.is_some_and(|before| shown(before) != shown(after))
    };
    let named = looks.filter(changed).filter_map(|x| evidence.tool(x.subject.tool()?));
    named.filter(|t| is_steady(evidence, &t.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    const SERVER: &str = r#"{"tools": [
          {"name": "set_footer", "inputSchema": {"type": "object", "properties": {"footer": {"type": "string"}}, "required": ["footer"]}},
          {"name": "show_letter"}, {"name": "list_towns"}],
        "exchanges": [
          {"probe": "valid-call", "tool": "set_footer", "label": "typical", "arguments": {"footer": "a"}, "reply": {"text": "It is set."}},
          {"probe": "valid-call", "tool": "show_letter", "label": "typical", "reply": {"text": "News. -- a"}},
          {"probe": "valid-call", "tool": "list_towns", "label": "typical", "reply": {"text": "Ghent"}},
          {"probe": "repeat", "tool": "show_letter", "label": "1", "reply": {"text": "News. -- a"}},
          {"probe": "repeat", "tool": "show_letter", "label": "2", "reply": {"text": "News. -- a"}},
          {"probe": "benign", "tool": "set_footer", "label": "benign", "arguments": {"footer": "a"}, "reply": {"text": "It is set."}},
          {"probe": "benign", "tool": "set_footer", "param": "/footer", "label": "word in /footer", "control": "benign", "arguments": {"footer": "w"}, "reply": {"text": "It is set."}}"#;

    #[test]
    fn those_that_read_are_looked_at_around_each_word() {
        let evidence = pages::evidence(&format!("{SERVER}]}}")).unwrap();
        let calls = plan(&evidence, Seed(1));
        let labels: Vec<String> =
            calls.iter().map(|c| format!("{}: {}", c.subject, c.label)).collect();
        let wanted = [
            "show_letter: before set_footer",
            "list_towns: before set_footer",
            "set_footer /footer: word in /footer",
            "show_letter: after set_footer in /footer",
            "list_towns: after set_footer in /footer",
        ];
        assert_eq!(labels, wanted);
    }

    #[test]
    fn an_answer_that_changed_shows_what_was_given() {
        let seen = r#",
          {"probe": "flows", "tool": "show_letter", "label": "before set_footer", "reply": {"text": "News. -- w"}},
          {"probe": "flows", "tool": "list_towns", "label": "before set_footer", "reply": {"text": "Ghent"}},
          {"probe": "flows", "tool": "set_footer", "param": "/footer", "label": "word in /footer", "arguments": {"footer": "x"}, "reply": {"text": "It is set."}},
          {"probe": "flows", "tool": "show_letter", "label": "after set_footer in /footer", "reply": {"text": "News. -- x"}},
          {"probe": "flows", "tool": "list_towns", "label": "after set_footer in /footer", "reply": {"text": "Ghent"}}]}"#;
        let evidence = pages::evidence(&format!("{SERVER}{seen}")).unwrap();
        let tool = evidence.tool("set_footer").unwrap();
        let tried = benign::tried(&evidence, tool);
        let names: Vec<&str> =
            shown_by(&evidence, tool, &tried[0]).iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["show_letter"]);
    }
}
