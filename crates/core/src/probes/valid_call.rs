//! Calls every tool as a reasonable caller would.

mod as_taken;
mod as_told;
mod chain;
mod issued;
mod order;
mod sought;
mod step;

use serde_json::Value;

use crate::arguments::{Context, Fill, places_of, sample};
use crate::evidence::{Evidence, Exchange, Profile, Tool};
use crate::harvest::Harvest;
use crate::probe::{Call, Lane, Probe, Risk};
use crate::response::{Trouble, disguised_error};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "valid-call", hostile: false, lane: Lane::Shared, plan };

/// The call that other probes vary.
pub const TYPICAL: &str = "typical";
/// Only what is required.
pub const MINIMAL: &str = "minimal";
/// Everything the schema names.
pub const FULL: &str = "full";

/// With values that the server itself gave, or took from us before.
pub const CHAINED: &str = "chained";
/// With the values that descriptions give, and those of the tools they name.
pub const AS_TOLD: &str = "as told";
/// With what another tool took for the parameter of the same name.
pub const AS_TAKEN: &str = "as taken elsewhere";
/// With what another tool gave out together.
pub const AS_ISSUED: &str = "as issued";
/// A search that found nothing, for what is there.
pub const SOUGHT: &str = "for what is there";
/// Again, after the step that the server asked for.
pub const RETRIED: &str = "retried";
/// A listing again, once there is something to list.
pub const AFTER: &str = "after creating";

/// First what needs nothing, makers before users; then with what was learnt; destroying tools
/// only when nothing else is wanted any more, since the others need what they destroy.
fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let (last, first): (Vec<&Tool>, Vec<&Tool>) =
        evidence.tools().partition(|t| evidence.risk_of(&t.name) == Risk::Destroys);
    let harvest = Harvest::of(evidence);
    let mut wanted = order::makers_first(evidence, first.clone(), seed)
        .into_iter()
        .flat_map(|tool| calls(evidence, tool, seed))
        .collect::<Vec<Call>>();
    wanted.extend(first.iter().flat_map(|tool| chain::calls(evidence, &harvest, tool, seed)));
    if wanted.is_empty() {
        for tool in order::parts_first(evidence, last, seed) {
            let fresh = calls(evidence, tool, seed);
            wanted.extend(chain::on_ours(evidence, &harvest, tool, &fresh));
            wanted.extend(fresh);
            wanted.extend(chain::calls(evidence, &harvest, tool, seed));
        }
    }
    wanted
}

/// The samples of a tool that has not been called yet.
fn calls(evidence: &Evidence, tool: &Tool, seed: Seed) -> Vec<Call> {
    if typical(evidence, &tool.name).is_some() {
        return Vec::new();
    }
    let fills: &[(&str, Fill)] = match evidence.conditions.profile {
        Profile::Quick => &[(TYPICAL, Fill::Typical)],
        Profile::Standard | Profile::Deep => {
            &[(TYPICAL, Fill::Typical), (MINIMAL, Fill::Minimal), (FULL, Fill::Full)]
        }
    };
    let context = Context::of(evidence, &tool.name);
    let seed = seed.part(&tool.name);
    let mut sent: Vec<Value> = Vec::new();
    let mut calls = Vec::new();
    for (label, fill) in fills {
        if let Some(arguments) = sample(&tool.input_schema, &context, seed, *fill)
            && !sent.contains(&arguments)
        {
            calls.push(Call::tool(&tool.name, *label, arguments.clone()));
            sent.push(arguments);
        }
    }
    calls
}

/// The arguments of the typical call: those sent, or those that would be.
pub fn arguments(evidence: &Evidence, tool: &Tool, seed: Seed) -> Option<Value> {
    match typical(evidence, &tool.name).and_then(Exchange::arguments) {
        Some(sent) => Some(sent.clone()),
        None => {
            let context = Context::of(evidence, &tool.name);
            sample(&tool.input_schema, &context, seed.part(&tool.name), Fill::Typical)
        }
    }
}

/// The arguments of the call of a tool that attacks begin with: those that worked, else those of the
/// last try, which hold what was learnt by then.
pub fn best(evidence: &Evidence, tool: &Tool, seed: Seed) -> Option<Value> {
    let learnt = |x: &Exchange| {
        [CHAINED, AS_TOLD, AS_TAKEN, AS_ISSUED].iter().any(|label| x.label.starts_with(label))
            && x.reply.why_unseen().is_none()
    };
    let tries = || evidence.of_tool(PROBE.id, &tool.name).filter(|x| learnt(x)).last();
    let known = working(evidence, &tool.name).or_else(tries).and_then(Exchange::arguments);
    known.cloned().or_else(|| arguments(evidence, tool, seed))
}

/// The typical call of a tool, if it was planned.
pub fn typical<'a>(evidence: &'a Evidence, tool: &'a str) -> Option<&'a Exchange> {
    evidence.of_tool(PROBE.id, tool).find(|x| x.label == TYPICAL)
}

/// Whether other probes may call a tool: what destroys is left alone until its own turn.
pub fn is_due(evidence: &Evidence, tool: &Tool) -> bool {
    let destroys = evidence.risk_of(&tool.name) == Risk::Destroys;
    !destroys || evidence.of(PROBE.id).next().is_none() || typical(evidence, &tool.name).is_some()
}

/// The call that shows that a tool works, and that other probes vary: the typical one if it does.
pub fn working<'a>(evidence: &'a Evidence, tool: &'a str) -> Option<&'a Exchange> {
    let typical = typical(evidence, tool).filter(|x| took(x));
    let any = |full: bool| {
        let took = |x: &&Exchange| took(x) && !(full && fell_short(x));
        evidence.of_tool(PROBE.id, tool).find(took)
    };
    typical.filter(|x| !fell_short(x)).or_else(|| any(true)).or(typical).or_else(|| any(false))
}

/// Whether all that is said is that there is no such thing: another value shows more.
pub fn fell_short(exchange: &Exchange) -> bool {
    let text = exchange.reply.text();
    if text.len() > 120 {
        return false;
    }
    if ["[]", "{}"].contains(&text.trim()) {
        return true;
    }
    // What is repeated of our own words says nothing.
    let own = exchange.arguments().map(texts_of).unwrap_or_default();
    let left = own.iter().filter(|t| t.len() > 2).fold(text, |text, t| text.replace(t, ""));
    Trouble::of(&left) == Trouble::NotFound || is_none(&left)
}

/// "No station in '…'.", "Nothing of that kind."
fn is_none(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let none = ["no ", "none", "nothing", "0 ", "there is no", "there are no", "zero "];
    none.iter().any(|word| lower.starts_with(word))
}

/// Whether all ordinary use that is wanted so far has been seen.
pub fn is_over(evidence: &Evidence) -> bool {
    let pending = |x: &Exchange| x.reply.is_pending();
    let asked =
        |c: &Call| evidence.of(PROBE.id).any(|x| x.subject == c.subject && x.label == c.label);
    let wanted = || plan(evidence, evidence.conditions.seed.part(PROBE.id));
    !evidence.of(PROBE.id).any(pending) && wanted().iter().all(asked)
}

fn texts_of(arguments: &Value) -> Vec<String> {
    let text = |pointer: String| Some(arguments.pointer(&pointer)?.as_str()?.to_owned());
    places_of(arguments).into_iter().filter_map(text).collect()
}

/// Whether a call did what it was for, as far as the server says.
pub fn took(exchange: &Exchange) -> bool {
    exchange.result().is_some()
        && !exchange.reply.is_tool_error()
        && disguised_error(&exchange.reply).is_none()
}

/// Whether an ordinary call was answered with a result that is no error.
pub fn succeeded(evidence: &Evidence, tool: &str) -> bool {
    working(evidence, tool).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    #[test]
    fn an_answer_that_names_nothing_falls_short_whatever_it_repeats() {
        let short = |arguments: &str, text: &str| {
            let text = serde_json::Value::from(text);
            let snippet = format!(
                r#"{{"exchanges": [{{"probe": "valid-call", "tool": "a", "arguments": {arguments}, "reply": {{"text": {text}}}}}]}}"#
            );
            let evidence = pages::evidence(&snippet).unwrap();
            fell_short(evidence.transcript.last().unwrap())
        };
        assert!(short(r#"{"region": "Berlin"}"#, "No station in 'Berlin'."));
        assert!(short(r#"{"id": "1"}"#, "There is no plot '1'."));
        assert!(short("{}", "[]"));
        assert!(!short(r#"{"by": "unknown"}"#, "1 record. Latest: 3.0 by unknown"));
        assert!(!short(r#"{"season": "spring", "body": "A text."}"#, "[spring] A text."));
    }

    fn labels(snippet: &str) -> Vec<String> {
        let evidence = pages::evidence(snippet).unwrap();
        plan(&evidence, Seed(1)).into_iter().map(|c| format!("{} {}", c.subject, c.label)).collect()
    }

    #[test]
    fn fuller_and_smaller_samples_are_sent_only_where_they_differ() {
        let tools = r#""tools": [{"name": "now"}, {"name": "add", "inputSchema": {"type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a"]}}]"#;
        assert_eq!(labels(&format!("{{{tools}}}")), ["add typical", "add full", "now typical"]);
        assert_eq!(
            labels(&format!(r#"{{{tools}, "profile": "quick"}}"#)),
            ["add typical", "now typical"]
        );
    }

    #[test]
    fn tools_outside_the_scope_are_left_alone() {
        assert_eq!(
            labels(r#"{"tools": [{"name": "a"}, {"name": "b"}], "scope": {"skip_tools": ["a*"]}}"#),
            ["b typical"]
        );
    }

    #[test]
    fn a_tool_that_was_called_is_not_planned_again() {
        let snippet = r#"{"tools": [{"name": "now"}], "exchanges":
            [{"probe": "valid-call", "tool": "now", "label": "typical", "reply": {"text": "12:00"}}]}"#;
        assert!(labels(snippet).is_empty());
    }

    const STORE: &str = r#""tools": [
        {"name": "delete_item", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}},
        {"name": "get_item", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}},
        {"name": "create_item", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}]"#;
    const MADE: &str = r#"{"probe": "valid-call", "tool": "create_item", "label": "typical", "reply": {"text": "{\"id\": \"i-9\"}"}}"#;
    const MISSED: &str = r#"{"probe": "valid-call", "tool": "get_item", "label": "typical", "arguments": {"id": "1"}, "reply": {"tool_error": "Item 1 not found"}}"#;

    fn after(exchanges: &[&str]) -> Vec<String> {
        let snippet = format!(r#"{{{STORE}, "exchanges": [{}]}}"#, exchanges.join(","));
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        let sent = |c: &Call| c.send.params().unwrap()["arguments"].to_string();
        calls.iter().map(|c| format!("{} {} {}", c.subject, c.label, sent(c))).collect()
    }

    #[test]
    fn things_are_made_then_used_then_destroyed() {
        let first: Vec<String> =
            after(&[]).iter().map(|c| c.split(' ').next().unwrap().to_owned()).collect();
        assert_eq!(first, ["create_item", "get_item"]);
        assert_eq!(after(&[MADE, MISSED]), [r#"get_item chained {"id":"i-9"}"#]);
        let found = r#"{"probe": "valid-call", "tool": "get_item", "label": "chained", "arguments": {"id": "i-9"}, "reply": {"text": "a saw"}}"#;
        let last = after(&[MADE, MISSED, found]);
        assert_eq!(last[0], r#"delete_item chained {"id":"i-9"}"#);
        assert!(last[1].starts_with("delete_item typical"), "{last:?}");
    }

    #[test]
    fn an_id_from_a_listing_feeds_the_tool_that_asks_for_it() {
        let id = r#"{"type": "object", "properties": {"id": {"type": "string", "minLength": 1, "maxLength": 20, "description": "The id of the item as list_items shows it."}}, "required": ["id"]}"#;
        let snippet = format!(
            r#"{{"tools": [{{"name": "list_items"}}, {{"name": "store_item"}}, {{"name": "count_items"}},
                {{"name": "get_item", "inputSchema": {id}}}], "exchanges": [
                {{"probe": "valid-call", "tool": "store_item", "label": "typical", "reply": {{"text": "ok"}}}},
                {{"probe": "valid-call", "tool": "count_items", "label": "typical", "reply": {{"text": "1"}}}},
                {{"probe": "valid-call", "tool": "list_items", "label": "after creating", "reply": {{"text": "[]"}}}},
                {{"probe": "valid-call", "tool": "count_items", "label": "after creating", "reply": {{"text": "1"}}}},
                {{"probe": "valid-call", "tool": "list_items", "label": "typical", "reply": {{"text": "{{\"items\": [{{\"id\": \"it-7\", \"name\": \"rope\"}}]}}"}}}},
                {{"probe": "valid-call", "tool": "get_item", "label": "typical", "arguments": {{"id": "1"}}, "reply": {{"tool_error": "no such item; call list_items for the ids there are"}}}}]}}"#
        );
        let calls = plan(&pages::evidence(&snippet).unwrap(), Seed(1));
        let sent: Vec<String> =
            calls.iter().map(|c| c.send.params().unwrap()["arguments"].to_string()).collect();
        assert_eq!(sent, [r#"{"id":"it-7"}"#]);
    }

    #[test]
    fn values_that_do_not_help_are_not_sent_twice() {
        let in_vain = r#"{"probe": "valid-call", "tool": "get_item", "label": "chained", "arguments": {"id": "i-9"}, "reply": {"tool_error": "Item i-9 not found"}}"#;
        assert!(after(&[MADE, MISSED, in_vain]).iter().all(|c| c.starts_with("delete_item")));
    }

    #[test]
    fn a_step_that_the_error_asks_for_is_taken_first() {
        let planned = |error: &str, verb: &str| {
            labels(&format!(
                r#"{{"tools": [{{"name": "stage_file"}}, {{"name": "{verb}"}}], "exchanges": [
                {{"probe": "valid-call", "tool": "stage_file", "label": "typical", "reply": {{"text": "ok"}}}},
                {{"probe": "valid-call", "tool": "{verb}", "label": "typical", "reply": {{"tool_error": "{error}"}}}}]}}"#
            ))
        };
        let both = ["stage_file before commit", "commit retried"];
        assert_eq!(planned("Nothing to commit; use stage_file first", "commit"), both);
        assert_eq!(planned("No changes staged", "commit"), both);
        assert_eq!(planned("No changes staged", "show"), ["stage_file before show"]);
        assert!(planned("no stage_filename", "commit").is_empty());
        assert!(planned("401 unauthorized: stage_file", "commit").is_empty());
    }
}
