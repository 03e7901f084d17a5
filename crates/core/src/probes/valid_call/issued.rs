//! What the server gave out together is shown to it together: an id, and the word that opens it.

use serde_json::{Map, Value};

use super::chain::latest;
use super::{AS_ISSUED, PROBE, took, working};
use crate::arguments::violates;
use crate::attack::stand::objects;
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Risk};
use crate::proof::json_in;

/// For a tool that has not worked: the last record of another one that has all that this one asks for.
pub(super) fn call(evidence: &Evidence, tool: &Tool) -> Option<Call> {
    let required: Vec<&str> = tool.required().collect();
    let mut own = evidence.of_tool(PROBE.id, &tool.name);
    if required.len() < 2
        || evidence.risk_of(&tool.name) == Risk::Destroys
        || working(evidence, &tool.name).is_some()
        || own.any(|x| x.label == AS_ISSUED)
    {
        return None;
    }
    let mut arguments = latest(evidence, tool)?.clone();
    let others = evidence.of(PROBE.id).filter(|x| x.subject.tool() != Some(&tool.name) && took(x));
    let record = others.filter_map(|x| record(x, &required)).last()?;
    for name in required {
        arguments.as_object_mut()?.insert(name.to_owned(), record.get(name)?.clone());
    }
    let fits = violates(&tool.input_schema, &arguments).is_none();
    fits.then(|| Call::tool(&tool.name, AS_ISSUED, arguments))
}

fn record(x: &Exchange, names: &[&str]) -> Option<Map<String, Value>> {
    let told = json_in(&x.reply.text())?;
    let mut records =
        objects(&told).into_iter().filter_map(|at| told.pointer(&at)?.as_object().cloned());
    records.find(|record| names.iter().all(|name| record.contains_key(*name)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::pages;

    #[test]
    fn an_id_is_shown_with_the_word_that_came_with_it() {
        let evidence = |reply: &str| {
            pages::evidence(&format!(
                r#"{{"tools": [{{"name": "open_case"}},
                {{"name": "read_case", "inputSchema": {{"type": "object", "required": ["case", "pin"], "properties": {{"case": {{"type": "string"}}, "pin": {{}}}}}}}}],
                "exchanges": [
                {{"probe": "valid-call", "tool": "open_case", "label": "typical", "arguments": {{}}, "reply": {{"text": "{reply}"}}}},
                {{"probe": "valid-call", "tool": "read_case", "label": "typical", "arguments": {{"case": "C-1", "pin": "x"}}, "reply": {{"tool_error": "403: wrong case or PIN"}}}}]}}"#,
            ))
            .unwrap()
        };
        let asked = |reply: &str| {
            let evidence = evidence(reply);
            let call = call(&evidence, evidence.tool("read_case").unwrap())?;
            call.send.params()?.get("arguments").cloned()
        };
        let told = r#"{\"case\": \"C-9\", \"pin\": \"K7\", \"open\": true}"#;
        assert_eq!(asked(told), Some(json!({"case": "C-9", "pin": "K7"})));
        assert_eq!(asked(r#"{\"case\": \"C-9\"}"#), None);
    }
}
