//! One more try for a search that found nothing: a letter that stands in most texts, then a word that
//! another tool showed.

use serde_json::Value;

use super::chain::numbered;
use super::{PROBE, SOUGHT, fell_short, took, working};
use crate::arguments::{places_of, violates};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::harvest::{Kind, Sense, singular};
use crate::probe::{Call, Risk, words};

const LETTER: &str = "a";
/// Shorter words stand in any text.
const LEAST: usize = 4;

pub(super) fn call(evidence: &Evidence, tool: &Tool) -> Option<Call> {
    let found_nothing = working(evidence, &tool.name).filter(|x| fell_short(x))?;
    let sent: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    let tries = sent.iter().filter(|x| x.label.starts_with(SOUGHT)).count();
    let text = match tries {
        0 => Some(LETTER.to_owned()),
        1 => shown(evidence, tool),
        _ => None,
    };
    let mut arguments = found_nothing.arguments()?.clone();
    let mut places = places_of(&arguments).into_iter();
    let pointer = places.find(|pointer| is_text(&arguments, pointer))?;
    *arguments.pointer_mut(&pointer)? = Value::String(text?);
    let reads = evidence.risk_of(&tool.name) == Risk::Reads;
    let allowed = violates(&tool.input_schema, &arguments).is_none();
    let is_new = !sent.iter().any(|x| x.arguments() == Some(&arguments));
    (reads && allowed && is_new).then(|| Call::tool(&tool.name, numbered(SOUGHT, tries), arguments))
}

/// Neither an id, nor a path, nor an address: those are found whole or not at all.
fn is_text(arguments: &Value, pointer: &str) -> bool {
    let name = pointer.rsplit('/').next().unwrap_or_default();
    let kind = Kind::of(&words(name).iter().map(|w| singular(w)).collect::<Vec<_>>());
    let plain = match kind {
        None | Some(Kind::Name) => true,
        Some(Kind::Id | Kind::Path | Kind::Uri | Kind::Cursor) => false,
    };
    plain && arguments.pointer(pointer).is_some_and(Value::is_string)
}

/// A word of an answer about the same things.
fn shown(evidence: &Evidence, tool: &Tool) -> Option<String> {
    let noun = Sense::of(evidence, tool).noun.last()?.clone();
    let about = |x: &&Exchange| {
        let other = x.subject.tool().and_then(|name| evidence.tool(name));
        let other = other.filter(|other| other.name != tool.name);
        other.is_some_and(|other| Sense::of(evidence, other).noun.contains(&noun))
    };
    let answers = evidence.of(PROBE.id).filter(|x| took(x) && !fell_short(x)).filter(about);
    answers.into_iter().find_map(|x| {
        let text = x.reply.text();
        let mut words = text.split(|c: char| !c.is_alphabetic());
        words.find(|w| w.len() >= LEAST).map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::pages;

    #[test]
    fn a_search_that_finds_nothing_is_tried_with_what_is_there() {
        let sought = |parameter: &str, tried: &[&str], answer: &str| {
            let of = |(n, text): (usize, &&str)| {
                let label = if n == 0 { "typical".to_owned() } else { numbered(SOUGHT, n - 1) };
                json!({"probe": "valid-call", "tool": "search_episodes", "label": label,
                    "arguments": {parameter: text}, "reply": {"text": answer}})
            };
            let mut exchanges = vec![json!({"probe": "valid-call", "tool": "list_episodes",
                "label": "typical", "reply": {"text": "E-01 | The harbour | 18 s"}})];
            exchanges.extend(tried.iter().enumerate().map(of));
            let snippet = json!({"exchanges": exchanges, "tools": [{"name": "list_episodes"},
                {"name": "search_episodes", "inputSchema": {"type": "object",
                    "properties": {parameter: {"type": "string"}}}}]});
            let evidence = pages::evidence(&snippet.to_string()).unwrap();
            let call = call(&evidence, &evidence.inventory.tools[1])?;
            Some(call.send.params()?["arguments"][parameter].as_str()?.to_owned())
        };
        assert_eq!(sought("words", &["x"], "nothing"), Some("a".to_owned()));
        assert_eq!(sought("words", &["x", "a"], "nothing"), Some("harbour".to_owned()));
        assert_eq!(sought("words", &["x", "a", "harbour"], "nothing"), None);
        assert_eq!(sought("words", &["x"], "E-01 The harbour"), None);
        assert_eq!(sought("episode_id", &["x"], "nothing"), None);
    }
}
