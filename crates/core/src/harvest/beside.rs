//! What an answer lists beside a value: the other ids of the list that this one is from.

use serde_json::Value;

use super::gather::json_in;
use crate::evidence::Reply;

/// The others, in the order of the answer, each once.
pub fn beside(reply: &Reply, own: &Value) -> Vec<Value> {
    let structured = reply.result().and_then(|result| result.get("structuredContent"));
    let text = reply.text();
    let found = structured.and_then(|data| in_data(data, own));
    let found = found.or_else(|| match json_in(&text) {
        Some(data) => in_data(&data, own),
        None => in_lines(&text, own).or_else(|| of_one_shape(&text, own)),
    });
    let mut others: Vec<Value> = Vec::new();
    for other in found.into_iter().flatten() {
        if !is_same(&other, own) && !others.contains(&other) {
            others.push(other);
        }
    }
    others
}

/// Texts and numbers may be written as each other.
fn is_same(value: &Value, own: &Value) -> bool {
    let plain = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(n) => Some(n.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    plain(value).is_some_and(|value| Some(value) == plain(own))
}

fn in_data(data: &Value, own: &Value) -> Option<Vec<Value>> {
    match data {
        Value::Array(items) => {
            if items.iter().any(|item| is_same(item, own)) {
                return Some(items.iter().filter(|i| !i.is_object()).cloned().collect());
            }
            let named = |item: &Value| {
                let members = item.as_object().into_iter().flatten();
                members.filter(|(_, value)| is_same(value, own)).map(|(key, _)| key.clone()).next()
            };
            match items.iter().find_map(named) {
                Some(key) => Some(items.iter().filter_map(|i| i.get(&key)).cloned().collect()),
                None => items.iter().find_map(|item| in_data(item, own)),
            }
        }
        Value::Object(map) => match map.keys().any(|key| own.as_str() == Some(key)) {
            true => Some(map.keys().cloned().map(Value::String).collect()),
            false => map.values().find_map(|value| in_data(value, own)),
        },
        Value::String(text) => json_in(text).and_then(|data| in_data(&data, own)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// "BK100 Lisbon": what stands first on other lines, if it does on one.
fn in_lines(text: &str, own: &Value) -> Option<Vec<Value>> {
    let first = |line: &str| {
        let line = line.trim_start_matches(['-', '*', '•', '|', '#', ' ']);
        let word = line.split([' ', '\t', ':', '|', ',', ';']).next().unwrap_or_default();
        (!word.is_empty()).then(|| Value::String(word.to_owned()))
    };
    let firsts: Vec<Value> = text.lines().filter_map(first).collect();
    firsts.iter().any(|word| is_same(word, own)).then_some(firsts)
}

/// Words of the same shape, if it is that of an id.
fn of_one_shape(text: &str, own: &Value) -> Option<Vec<Value>> {
    let own = own.as_str()?;
    let kind = |c: char| match c {
        'a'..='z' => 'a',
        'A'..='Z' => 'A',
        '0'..='9' => '0',
        other => other,
    };
    let shape = |word: &str| word.chars().map(kind).collect::<String>();
    let coded = own.contains(['-', '_']) && own.contains(|c: char| c.is_ascii_digit());
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let words: Vec<&str> = text.split(|c: char| !is_part(c)).collect();
    let like = words.iter().filter(|word| shape(word) == shape(own));
    (coded && words.contains(&own)).then(|| like.map(|w| Value::from(*w)).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn others_are_found_in_lists_of_every_kind() {
        let of = |text: &str, own: Value| {
            let value = json!({"content": [{"type": "text", "text": text}]});
            beside(&Reply::Result { value }, &own)
        };
        assert_eq!(of(r#"["sales", "staff", "sales"]"#, json!("sales")), ["staff"]);
        let issues = r#"{"issues": [{"number": 7, "title": "a"}, {"number": 9, "title": "b"}]}"#;
        assert_eq!(of(issues, json!(7)), [json!(9)]);
        assert_eq!(of(issues, json!("7")), [json!(9)]);
        assert_eq!(of(r#"{"n-1": {"a": 1}, "n-2": {"a": 2}}"#, json!("n-1")), ["n-2"]);
        assert_eq!(of("BK1 Lisbon\nBK2 Oslo", json!("BK1")), ["BK2"]);
        assert_eq!(of("Filed as PH-01, then PH-02 and P-3.", json!("PH-01")), ["PH-02"]);
        assert_eq!(of("Plain words about plain things", json!("about")), Vec::<Value>::new());
        assert_eq!(of(issues, json!(8)), Vec::<Value>::new());
    }
}
