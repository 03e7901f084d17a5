//! Parameters of a tool that travel as HTTP headers too (`x-mcp-header`).

use serde_json::Value;

/// The annotation.
pub const KEY: &str = "x-mcp-header";

/// One `x-mcp-header`: where it stands and in which schema.
#[derive(Debug)]
pub struct Mirrored<'a> {
    pub path: String,
    pub schema: &'a Value,
    pub header: &'a Value,
    /// Reached through `properties` alone.
    pub plain: bool,
}

/// All of a tool.
pub fn mirrored(tool: &Value) -> Vec<Mirrored<'_>> {
    let mut found = Vec::new();
    if let Some(schema) = tool.get("inputSchema") {
        gather(schema, String::new(), true, &mut found);
    }
    found
}

fn gather<'a>(at: &'a Value, path: String, plain: bool, found: &mut Vec<Mirrored<'a>>) {
    if let Some(items) = at.as_array() {
        items.iter().for_each(|item| gather(item, path.clone(), false, found));
    }
    let Some(map) = at.as_object() else { return };
    if let Some(header) = map.get(KEY) {
        found.push(Mirrored {
            path: path.clone(),
            schema: at,
            header,
            plain: plain && !path.is_empty(),
        });
    }
    for (key, value) in map {
        match (key.as_str(), value.as_object()) {
            ("properties", Some(properties)) => properties
                .iter()
                .for_each(|(name, schema)| gather(schema, format!("{path}/{name}"), plain, found)),
            ("default" | "const" | "enum" | "examples", _) => {}
            (_, _) => gather(value, path.clone(), false, found),
        }
    }
}
