//! Where in the arguments of a call something can be broken.

use serde_json::{Map, Value};

use crate::arguments::{plain, pointer_to};

/// Deeper places are treated like those above them.
const DEEPEST: usize = 3;

/// A place in the arguments.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) pointer: String,
    pub(super) name: String,
    /// Without references; `allOf` merged, and of an optional value the branch that is not null.
    pub(super) schema: Map<String, Value>,
    pub(super) required: bool,
    /// What the working call has there.
    pub(super) sent: Option<Value>,
}

/// Every place: the whole first, then the outer before the inner, the required before the optional.
pub(super) fn all(root: &Value, arguments: &Value) -> Vec<Spot> {
    let whole = Spot {
        pointer: String::new(),
        name: String::new(),
        schema: plain(root, root),
        required: true,
        sent: Some(arguments.clone()),
    };
    let mut found = vec![whole];
    let mut next = 0;
    while let Some(outer) = found.get(next).cloned() {
        if outer.pointer.matches('/').count() < DEEPEST {
            found.extend(inside(root, &outer));
        }
        next += 1;
    }
    // Stable: outer places stay before inner ones.
    found.sort_by_key(|spot| !spot.required);
    found
}

fn inside(root: &Value, outer: &Spot) -> Vec<Spot> {
    match &outer.sent {
        Some(Value::Object(sent)) => fields(root, outer, sent),
        Some(Value::Array(items)) => item(root, outer, items).into_iter().collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => {
            Vec::new()
        }
    }
}

fn fields(root: &Value, outer: &Spot, sent: &Map<String, Value>) -> Vec<Spot> {
    let required: Vec<&str> = match outer.schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    };
    let properties = outer.schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| Spot {
            pointer: pointer_to(&outer.pointer, name),
            name: name.clone(),
            schema: plain(root, schema),
            required: outer.required && required.contains(&name.as_str()),
            sent: sent.get(name).cloned(),
        })
        .collect()
}

/// Items are treated alike: the first stands for all.
fn item(root: &Value, outer: &Spot, items: &[Value]) -> Option<Spot> {
    let schema = outer.schema.get("items").filter(|s| s.is_object())?;
    Some(Spot {
        pointer: format!("{}/0", outer.pointer),
        name: outer.name.clone(),
        schema: plain(root, schema),
        required: outer.required,
        sent: Some(items.first()?.clone()),
    })
}
