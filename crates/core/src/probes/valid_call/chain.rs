//! Further calls to a tool with values that earlier calls brought to light.

use serde_json::Value;

use super::{
    AFTER, CHAINED, PROBE, TYPICAL, as_taken, as_told, issued, sought, step, took, typical, working,
};
use crate::evidence::{Evidence, Exchange, Profile, Tool};
use crate::harvest::{Aim, Harvest, Sense, filled};
use crate::probe::{Call, Risk, words};
use crate::promise::holds;
use crate::response::{Answer, Trouble, disguised_error};
use crate::seed::Seed;

/// Each chance is taken with what is known by then; more than this would be guessing.
const MOST: usize = 3;

/// What is wanted next of a tool whose samples have been answered.
pub(super) fn calls(evidence: &Evidence, harvest: &Harvest, tool: &Tool, seed: Seed) -> Vec<Call> {
    if typical(evidence, &tool.name).is_none() {
        return Vec::new();
    }
    if let Some(call) = after_creating(evidence, tool) {
        return vec![call];
    }
    if let Some(call) = as_told::call(evidence, tool, seed) {
        return vec![call];
    }
    let learnt = chained(evidence, harvest, tool)
        .or_else(|| issued::call(evidence, tool))
        .or_else(|| as_taken::call(evidence, tool))
        .or_else(|| sought::call(evidence, tool));
    match learnt {
        Some(call) => vec![call],
        None => step::calls(evidence, tool),
    }
}

/// A destroying tool is shown on something that we made, where there is something.
pub(super) fn on_ours(
    evidence: &Evidence,
    harvest: &Harvest,
    tool: &Tool,
    fresh: &[Call],
) -> Option<Call> {
    let sample = fresh.iter().find(|c| c.label == TYPICAL)?;
    let arguments = sample.send.params()?.get("arguments")?;
    let filled = filled(evidence, harvest, tool, arguments, Aim::Sharpen)?;
    Some(Call::tool(&tool.name, CHAINED, filled))
}

fn chained(evidence: &Evidence, harvest: &Harvest, tool: &Tool) -> Option<Call> {
    let base = typical(evidence, &tool.name)?.arguments()?;
    let sent: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    let tries = sent.iter().filter(|x| x.label.starts_with(CHAINED)).count();
    let failed = why_failed(evidence, tool);
    let aim = match &failed {
        Some(text) if tries < MOST => Aim::Mend(text),
        None if tries == 0 && is_thorough(evidence) => {
            working(evidence, &tool.name)?;
            Aim::Sharpen
        }
        Some(_) | None => return None,
    };
    let arguments = filled(evidence, harvest, tool, base, aim)?;
    let is_new = !sent.iter().any(|x| x.arguments() == Some(&arguments));
    is_new.then(|| Call::tool(&tool.name, numbered(CHAINED, tries), arguments))
}

/// The words of the last error of a tool that has not worked yet, where other values may help.
pub(super) fn why_failed(evidence: &Evidence, tool: &Tool) -> Option<String> {
    if working(evidence, &tool.name).is_some() {
        return None;
    }
    let last = evidence.of_tool(PROBE.id, &tool.name).last()?;
    let text = match Answer::of(evidence, last) {
        Answer::Accepted => disguised_error(&last.reply)?,
        Answer::ToolError(text) | Answer::Refused { message: text, .. } => text,
        Answer::Malformed(_) | Answer::Crashed | Answer::Hung | Answer::Unseen(_) => return None,
    };
    let helps = match Trouble::of(&text) {
        Trouble::NotFound | Trouble::State | Trouble::Value | Trouble::Other | Trouble::Bug => true,
        // What was given by the server itself can be shown to it.
        Trouble::Credential => is_signed_in(evidence),
        Trouble::Shape
        | Trouble::Network
        | Trouble::Limit
        | Trouble::Software
        | Trouble::Storage => false,
    };
    helps.then_some(text)
}

/// Whether a tool that lets callers in has worked.
fn is_signed_in(evidence: &Evidence) -> bool {
    let lets_in = |tool: &&Tool| {
        let name = words(&tool.name);
        holds(&name, "auth authenticate login logon signin") || name.ends_with(&["in".to_owned()])
    };
    evidence.tools().filter(lets_in).any(|tool| working(evidence, &tool.name).is_some())
}

/// Reading tools run before writing ones, so a listing that needs nothing is asked once more:
/// what we made should stand in it, with its id.
fn after_creating(evidence: &Evidence, tool: &Tool) -> Option<Call> {
    let worked = typical(evidence, &tool.name).filter(|x| took(x))?;
    let again = evidence.of_tool(PROBE.id, &tool.name).any(|x| x.label == AFTER);
    let needs_nothing = tool.required().next().is_none();
    let lists = evidence.risk_of(&tool.name) == Risk::Reads && needs_nothing && !again;
    (lists && is_thorough(evidence) && made_something(evidence))
        .then(|| Call::tool(&tool.name, AFTER, worked.arguments().cloned().unwrap_or_default()))
}

fn made_something(evidence: &Evidence) -> bool {
    let leaves = |name: &str| evidence.tool(name).is_some_and(|t| Sense::of(evidence, t).leaves);
    evidence.of(PROBE.id).any(|x| took(x) && x.subject.tool().is_some_and(leaves))
}

fn is_thorough(evidence: &Evidence) -> bool {
    match evidence.conditions.profile {
        Profile::Quick => false,
        Profile::Standard | Profile::Deep => true,
    }
}

pub(super) fn numbered(label: &str, before: usize) -> String {
    if before == 0 { label.to_owned() } else { format!("{label} {}", before + 1) }
}

/// The arguments of the latest attempt, which carry what was learnt.
pub(super) fn latest<'a>(evidence: &'a Evidence, tool: &'a Tool) -> Option<&'a Value> {
    let learnt = evidence.of_tool(PROBE.id, &tool.name).filter(|x| x.label.starts_with(CHAINED));
    learnt.last().or_else(|| typical(evidence, &tool.name))?.arguments()
}
