//! A JSON Schema told from samples.

use serde_json::{Map, Value, json};

/// More levels and fields than this are left open.
const DEEPEST: usize = 6;
const MOST: usize = 40;

/// The shape that all samples share; `None` without samples.
pub(super) fn of(samples: &[Value]) -> Option<Value> {
    let refs: Vec<&Value> = samples.iter().collect();
    (!refs.is_empty()).then(|| shape(&refs, 0))
}

fn shape(samples: &[&Value], depth: usize) -> Value {
    let mut kinds: Vec<&str> = samples.iter().map(|v| kind(v)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds == ["integer", "number"] {
        kinds = vec!["number"];
    }
    match kinds.as_slice() {
        ["object"] if depth < DEEPEST => object(samples, depth),
        ["array"] if depth < DEEPEST => {
            let items: Vec<&Value> =
                samples.iter().filter_map(|v| v.as_array()).flatten().take(MOST).collect();
            match items.is_empty() {
                true => json!({"type": "array"}),
                false => json!({"type": "array", "items": shape(&items, depth + 1)}),
            }
        }
        [one] => json!({"type": one}),
        several => json!({"type": several}),
    }
}

fn object(samples: &[&Value], depth: usize) -> Value {
    let maps: Vec<&Map<String, Value>> = samples.iter().filter_map(|v| v.as_object()).collect();
    let mut names: Vec<&String> = Vec::new();
    for name in maps.iter().flat_map(|map| map.keys()) {
        if !names.contains(&name) && names.len() < MOST {
            names.push(name);
        }
    }
    let mut properties = Map::new();
    for name in &names {
        let values: Vec<&Value> = maps.iter().filter_map(|map| map.get(*name)).collect();
        properties.insert((*name).clone(), shape(&values, depth + 1));
    }
    let always: Vec<&&String> =
        names.iter().filter(|n| maps.iter().all(|m| m.contains_key(**n))).collect();
    json!({"type": "object", "properties": properties, "required": always})
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_joined() {
        let samples = [json!({"a": 1, "b": []}), json!({"a": 1.5, "c": null})];
        let shape = of(&samples).unwrap();
        assert_eq!(shape["properties"]["a"], json!({"type": "number"}));
        assert_eq!(shape["properties"]["b"], json!({"type": "array"}));
        assert_eq!(shape["required"], json!(["a"]));
        assert!(samples.iter().all(|s| crate::arguments::violates(&shape, s).is_none()));
    }
}
