//! Holds tools to what their annotations claim: looks at what others show, calls the tool with
//! nothing beside it while the scratch area is watched, and looks again. In a process of its own, since
//! what ordinary use has cleared can't be cleared once more.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::arguments::violates;
use crate::attack::stand::Stand;
use crate::evidence::{Evidence, Exchange, Tool, steady};
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::{flows, repeat, valid_call};
use crate::promise::{Promise, holds, mentions};
use crate::response::{is_accepted, substance};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "claims", hostile: false, lane: Lane::Turn, plan };

/// The call itself, and the same once more.
pub const ONCE: &str = "once";
pub const TWICE: &str = "twice";
/// With our own page where an address fits, of a tool that claims to stay at home.
pub const OUTSIDE: &str = "outside";

/// Looks without a call between them: whether what is shown stays as it is.
const STILL: [&str; 2] = ["still 1", "still 2"];

/// A look at what another tool shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Before,
    After,
    AfterTwice,
}

/// The label of a look around a call of this tool.
pub fn label(look: Look, tool: &str) -> String {
    match look {
        Look::Before => format!("before {tool}"),
        Look::After => format!("after {tool}"),
        Look::AfterTwice => format!("after {tool} twice"),
    }
}

/// What a tool claims about itself that can be held against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    ReadOnly,
    NotDestructive,
    Idempotent,
    ClosedWorld,
}

impl Claim {
    /// The other hints mean nothing for a tool that only reads.
    pub fn of(tool: &Tool) -> Vec<Claim> {
        let reads = tool.hint("readOnlyHint") == Some(true);
        let all = [
            (Claim::ReadOnly, reads),
            (Claim::NotDestructive, !reads && tool.hint("destructiveHint") == Some(false)),
            (Claim::Idempotent, !reads && tool.hint("idempotentHint") == Some(true)),
            (Claim::ClosedWorld, tool.hint("openWorldHint") == Some(false)),
        ];
        all.into_iter().filter(|(_, made)| *made).map(|(claim, _)| claim).collect()
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Claim::ReadOnly => "readOnlyHint: true",
            Claim::NotDestructive => "destructiveHint: false",
            Claim::Idempotent => "idempotentHint: true",
            Claim::ClosedWorld => "openWorldHint: false",
        }
    }
}

/// Whether the scratch area is looked at around this call.
pub fn is_watched(evidence: &Evidence, exchange: &Exchange) -> bool {
    let held = exchange.probe == PROBE.id && [ONCE, TWICE].contains(&exchange.label.as_str());
    let tool = || exchange.subject.tool().and_then(|name| evidence.tool(name));
    held || tool().is_some_and(|tool| is_first(tool, &exchange.probe, &exchange.label))
}

/// The very first call of a tool that claims to harm nothing, or a further try until it works: what it
/// clears it clears but once.
pub fn is_first(tool: &Tool, probe: &str, label: &str) -> bool {
    use valid_call::{AS_TAKEN, AS_TOLD, CHAINED, TYPICAL};
    probe == valid_call::PROBE.id
        && [TYPICAL, AS_TOLD, AS_TAKEN, CHAINED].iter().any(|first| label.starts_with(first))
        && Claim::of(tool).iter().any(|c| matches!(c, Claim::ReadOnly | Claim::NotDestructive))
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    // How much answers vary by themselves has to be known first.
    let settled = evidence.tools().filter(|t| evidence.risk_of(&t.name) == Risk::Reads).all(|t| {
        !valid_call::succeeded(evidence, &t.name)
            || evidence.of_tool(repeat::PROBE.id, &t.name).next().is_some()
    });
    if !settled || !valid_call::is_over(evidence) {
        return Vec::new();
    }
    let Some(fresh) = Stand::State.fresh(evidence) else { return Vec::new() };
    let mut claiming: Vec<&Tool> = evidence.tools().filter(|t| !Claim::of(t).is_empty()).collect();
    // What destroys takes away what others show.
    claiming.sort_by_key(|t| evidence.risk_of(&t.name));
    let around: Vec<Call> = claiming.iter().filter_map(|t| around(evidence, t)).flatten().collect();
    let looks = around.iter().filter(|c| is_look(&c.label));
    let looks: BTreeSet<&str> = looks.filter_map(|c| c.subject.tool()).collect();
    let still = |label| {
        let again = |name: &&str| {
            let asked = valid_call::working(evidence, name)?.arguments()?;
            Some(Call::tool(name, label, asked.clone()))
        };
        looks.iter().filter_map(again).collect::<Vec<Call>>()
    };
    let still: Vec<Call> = STILL.into_iter().flat_map(still).collect();
    let there = still.into_iter().chain(around).map(|call| call.on(fresh));
    let outside = claiming.iter().filter(|t| Claim::of(t).contains(&Claim::ClosedWorld));
    there.chain(outside.filter_map(|t| outside_of(evidence, t))).collect()
}

fn is_look(label: &str) -> bool {
    label.starts_with("before ") || label.starts_with("after ")
}

fn around(evidence: &Evidence, tool: &Tool) -> Option<Vec<Call>> {
    let arguments = valid_call::working(evidence, &tool.name)?.arguments()?.clone();
    let witnesses = witnesses(evidence, tool);
    let look = |look: Look| -> Vec<Call> {
        let ask = |(witness, asked): &(&Tool, Value)| {
            Call::tool(&witness.name, label(look, &tool.name), asked.clone())
        };
        witnesses.iter().map(ask).collect()
    };
    let mut calls = look(Look::Before);
    calls.push(Call::tool(&tool.name, ONCE, arguments.clone()));
    calls.extend(look(Look::After));
    if Claim::of(tool).contains(&Claim::Idempotent) {
        calls.push(Call::tool(&tool.name, TWICE, arguments));
        calls.extend(look(Look::AfterTwice));
    }
    Some(calls)
}

fn outside_of(evidence: &Evidence, tool: &Tool) -> Option<Call> {
    let page = format!("{}/page.html", evidence.conditions.content.as_ref()?);
    let (name, _) = tool.parameters().find(|(name, schema)| wants_address(name, schema))?;
    let working = valid_call::working(evidence, &tool.name)?.arguments()?;
    let mut arguments = working.as_object()?.clone();
    arguments.insert(name.to_owned(), Value::from(page));
    let arguments = Value::Object(arguments);
    let fits = violates(&tool.input_schema, &arguments).is_none();
    fits.then(|| Call::tool(&tool.name, OUTSIDE, arguments))
}

fn wants_address(name: &str, schema: &Value) -> bool {
    const WORDS: &str = "endpoint href link page site uri url urls webhook website";
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let text = schema.get("type").and_then(Value::as_str) == Some("string");
    text && (holds(&words(name), WORDS) || holds(&words(about), "link uri url webhook website"))
}

/// Tools that show what there is, those first that are about the same things.
pub fn witnesses<'a>(evidence: &'a Evidence, tool: &Tool) -> Vec<(&'a Tool, Value)> {
    const MOST: usize = 3;
    /// What these show grows by being asked anything.
    const GROWING: &str = "
        activity audit call calls count counter event events last log logs metrics recent
        session sessions stat statistics stats status trace usage";
    /// These may hold what was asked, unless they are of the same things.
    const KEEPING: &str = "history";
    let shows = |t: &&Tool| {
        t.name != tool.name
            && evidence.risk_of(&t.name) == Risk::Reads
            && Promise::of(t).is_answer()
            && !mentions(t, GROWING)
            && (!mentions(t, KEEPING) || flows::kinship(tool, t) > 1)
    };
    let mut found: Vec<&Tool> = evidence.tools().filter(shows).collect();
    found.sort_by_key(|t| {
        let kin = flows::kinship(tool, t);
        (std::cmp::Reverse(kin), Promise::of(t) != Promise::List, t.required().count())
    });
    let asked =
        |t: &'a Tool| Some((t, valid_call::working(evidence, &t.name)?.arguments()?.clone()));
    found.into_iter().filter_map(asked).take(MOST).collect()
}

/// Whether this look is at something that stays as it is as long as nothing is called, as far as that
/// was seen.
pub fn is_still(evidence: &Evidence, look: &Exchange) -> bool {
    let own = evidence.of(PROBE.id).filter(|x| x.subject == look.subject);
    let still: Vec<&Exchange> = own.filter(|x| STILL.contains(&x.label.as_str())).collect();
    let accepted = still.iter().all(|x| is_accepted(evidence, x));
    accepted && still.windows(2).all(|w| shown(w[0]) == shown(w[1]))
}

/// Whether a tool answered the same whenever it was asked the same.
pub fn is_steady(evidence: &Evidence, tool: &str) -> bool {
    let answers: Vec<String> = evidence
        .of_tool(repeat::PROBE.id, tool)
        .filter(|x| is_accepted(evidence, x))
        .map(shown)
        .collect();
    answers.len() >= 2 && answers.windows(2).all(|w| w[0] == w[1])
}

/// What an answer shows, clocks aside.
pub fn shown(exchange: &Exchange) -> String {
    steady(&substance(&exchange.reply).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;
    use crate::probe::Connection;

    #[test]
    fn a_claim_is_held_against_what_a_steady_witness_shows() {
        let snippet = r#"{"tools": [
              {"name": "get_status", "annotations": {"readOnlyHint": true}},
              {"name": "list_notes"}, {"name": "list_events"}, {"name": "get_dice"}],
            "exchanges": [
              {"probe": "valid-call", "tool": "get_status", "label": "typical", "reply": {"text": "fine today"}},
              {"probe": "valid-call", "tool": "list_notes", "label": "typical", "reply": {"text": "[1]"}},
              {"probe": "valid-call", "tool": "list_events", "label": "typical", "reply": {"text": "[1]"}},
              {"probe": "valid-call", "tool": "get_dice", "label": "typical", "reply": {"text": "4"}},
              {"probe": "repeat", "tool": "get_status", "label": "1", "reply": {"text": "fine today"}},
              {"probe": "repeat", "tool": "list_notes", "label": "1", "reply": {"text": "[1]"}},
              {"probe": "repeat", "tool": "list_notes", "label": "2", "reply": {"text": "[1]"}},
              {"probe": "repeat", "tool": "list_events", "label": "1", "reply": {"text": "[1]"}},
              {"probe": "repeat", "tool": "list_events", "label": "2", "reply": {"text": "[1]"}},
              {"probe": "repeat", "tool": "get_dice", "label": "1", "reply": {"text": "4"}},
              {"probe": "repeat", "tool": "get_dice", "label": "2", "reply": {"text": "6"}}]}"#;
        let calls = plan(&pages::evidence(snippet).unwrap(), Seed(1));
        let seen: Vec<String> =
            calls.iter().map(|c| format!("{} {}", c.subject, c.label)).collect();
        let wanted = [
            "get_dice still 1",
            "list_notes still 1",
            "get_dice still 2",
            "list_notes still 2",
            "list_notes before get_status",
            "get_dice before get_status",
            "get_status once",
            "list_notes after get_status",
            "get_dice after get_status",
        ];
        assert_eq!(seen, wanted);
        assert!(calls.iter().all(|c| c.on != Connection::Main), "{calls:?}");
    }

    #[test]
    fn nothing_is_planned_before_natural_variation_is_known() {
        let snippet = r#"{"tools": [{"name": "get_status", "annotations": {"readOnlyHint": true}}],
            "exchanges": [{"probe": "valid-call", "tool": "get_status", "label": "typical", "reply": {"text": "fine"}}]}"#;
        assert!(plan(&pages::evidence(snippet).unwrap(), Seed(1)).is_empty());
    }
}
