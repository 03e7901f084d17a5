//! One more try for a tool that has not worked: with what another tool took for the parameter of the
//! same name. `reference` means the same to `get_booking` and to `cancel_booking`.

use serde_json::Value;

use super::chain::why_failed;
use super::{AS_TAKEN, PROBE, fell_short, took, working};
use crate::arguments::{places_of, violates};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Risk};

/// Longer texts are contents, and no names of things.
const LONGEST: usize = 60;

pub(super) fn call(evidence: &Evidence, tool: &Tool) -> Option<Call> {
    let sent: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    let missed = || working(evidence, &tool.name).is_some_and(fell_short);
    let failed = why_failed(evidence, tool).is_some() || missed();
    if sent.iter().any(|x| x.label == AS_TAKEN) || !failed {
        return None;
    }
    let mut arguments = sent.last()?.arguments()?.clone();
    for pointer in places_of(&arguments) {
        let taken = taken(evidence, tool, name_of(&pointer));
        if let (Some(value), Some(place)) = (taken, arguments.pointer_mut(&pointer)) {
            *place = value.clone();
        }
    }
    let is_new = !sent.iter().any(|x| x.arguments() == Some(&arguments));
    let allowed = violates(&tool.input_schema, &arguments).is_none();
    (is_new && allowed).then(|| Call::tool(&tool.name, AS_TAKEN, arguments))
}

/// The first value that another tool took under this name, and found something by. What a destroying
/// tool took is gone.
fn taken<'a>(evidence: &'a Evidence, tool: &Tool, name: &str) -> Option<&'a Value> {
    let other = |x: &&Exchange| {
        let named = x.subject.tool().filter(|other| *other != tool.name);
        named.is_some_and(|other| evidence.risk_of(other) < Risk::Destroys)
    };
    let worked = evidence.of(PROBE.id).filter(other).filter(|x| took(x) && !fell_short(x));
    worked.filter_map(Exchange::arguments).find_map(|arguments| {
        let same = places_of(arguments).into_iter().filter(|place| name_of(place) == name);
        same.filter_map(|place| arguments.pointer(&place)).find(|value| is_handle(value))
    })
}

fn is_handle(value: &Value) -> bool {
    value.as_str().is_none_or(|text| text.len() <= LONGEST && !text.contains('\n'))
}

/// The last part of a pointer that is no number.
fn name_of(pointer: &str) -> &str {
    pointer.split('/').rfind(|part| part.parse::<u32>().is_err()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::pages;

    #[test]
    fn what_one_tool_took_another_of_the_same_parameter_is_given() {
        let schema = json!({"type": "object", "required": ["reference"],
            "properties": {"reference": {"type": "string"}, "letter": {"type": "string"}}});
        let retried = |other: &str, answer: &str, refusal: &str| {
            let snippet = json!({
                "tools": [{"name": other, "inputSchema": schema}, {"name": "confirm", "inputSchema": schema}],
                "exchanges": [
                    {"probe": "valid-call", "tool": other, "label": "typical",
                     "arguments": {"reference": "BK1"}, "reply": {"text": answer}},
                    {"probe": "valid-call", "tool": "confirm", "label": "typical",
                     "arguments": {"reference": "x", "letter": "y"}, "reply": {"tool_error": refusal}}]
            });
            let evidence = pages::evidence(&snippet.to_string()).unwrap();
            let call = call(&evidence, &evidence.inventory.tools[1])?;
            call.send.params()?.get("arguments").cloned()
        };
        let sent = Some(json!({"reference": "BK1", "letter": "y"}));
        assert_eq!(retried("get_booking", "Ada, Lisbon", "no such booking"), sent);
        assert_eq!(retried("get_booking", "No such booking.", "no such booking"), None);
        assert_eq!(retried("delete_booking", "It is gone", "no such booking"), None);
        assert_eq!(retried("get_booking", "Ada, Lisbon", "401 unauthorized"), None);
    }
}
