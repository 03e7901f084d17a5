//! Parameters that the stateless revision wants repeated in headers: tools mark them in their schema.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::stateless::header_value;

/// By tool: the path to each marked parameter, and the name of its header.
#[derive(Debug, Default)]
pub(super) struct Marks(Mutex<BTreeMap<String, Vec<Mark>>>);

type Mark = (Vec<String>, String);

impl Marks {
    /// Learns from a page of `tools/list`.
    pub(super) fn learn(&self, listed: &Value) {
        let tools = listed.get("tools").and_then(Value::as_array).into_iter().flatten();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for tool in tools {
            let (Some(name), Some(schema)) =
                (tool.get("name").and_then(Value::as_str), tool.get("inputSchema"))
            else {
                continue;
            };
            let mut marks = Vec::new();
            collect(schema, &[], &mut marks);
            all.insert(name.to_owned(), marks);
        }
    }

    /// The headers that a call of a tool has to carry.
    pub(super) fn headers(&self, params: Option<&Value>) -> Vec<(String, String)> {
        let tool = params.and_then(|p| p.get("name")).and_then(Value::as_str).unwrap_or_default();
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let marks = all.get(tool).into_iter().flatten();
        marks.filter_map(|mark| repeated(params?.get("arguments")?, mark)).collect()
    }
}

fn collect(schema: &Value, path: &[String], marks: &mut Vec<Mark>) {
    for (name, property) in
        schema.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        let here = [path, std::slice::from_ref(name)].concat();
        match property.get("x-mcp-header").and_then(Value::as_str) {
            Some(mark) => marks.push((here, format!("Mcp-Param-{mark}"))),
            None => collect(property, &here, marks),
        }
    }
}

fn repeated(arguments: &Value, (path, header): &Mark) -> Option<(String, String)> {
    let value = path.iter().try_fold(arguments, |at, key| at.get(key))?;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    Some((header.clone(), header_value(&text)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marked_parameters_with_a_value_are_repeated() {
        let marks = Marks::default();
        let day = json!({"type": "integer", "x-mcp-header": "Day"});
        let place = json!({"properties": {"name": {"type": "string", "x-mcp-header": "Place"}}});
        let schema = json!({"properties": {"day": day, "place": place, "unit": {}}});
        marks.learn(&json!({"tools": [{"name": "forecast", "inputSchema": schema}]}));
        let arguments = json!({"day": 3, "place": {"name": "Höchst"}, "unit": "C"});
        let headers = marks.headers(Some(&json!({"name": "forecast", "arguments": arguments})));
        let pairs: Vec<(&str, &str)> =
            headers.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("Mcp-Param-Day", "3"), ("Mcp-Param-Place", "=?base64?SMO2Y2hzdA==?=")]);
        assert!(
            marks
                .headers(Some(&json!({"name": "forecast", "arguments": {"day": null}})))
                .is_empty()
        );
    }
}
