//! Resources: fixed texts, and notes by URI template.

use serde_json::{Map, Value, json};

use super::Server;
use super::terms::Terms;
use crate::revision::Revision;
use crate::rpc::{INVALID_PARAMS, RESOURCE_NOT_FOUND, Refusal};
use crate::world::World;

#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub uri: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub mime: &'static str,
    pub text: &'static str,
}

#[derive(Debug, Clone)]
pub(crate) struct Template {
    pub uri_template: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub mime: &'static str,
    /// The text of a URI that the template made, `None` for any other.
    pub read: fn(&World, &str) -> Option<String>,
}

impl Resource {
    pub(crate) fn listed(&self, revision: Revision) -> Value {
        let mut entry = entry("uri", self.uri, self.name, self.title, revision);
        entry.insert("description".into(), json!(self.description));
        entry.insert("mimeType".into(), json!(self.mime));
        Value::Object(entry)
    }
}

impl Template {
    pub(crate) fn listed(&self, revision: Revision) -> Value {
        let mut entry = entry("uriTemplate", self.uri_template, self.name, self.title, revision);
        entry.insert("description".into(), json!(self.description));
        entry.insert("mimeType".into(), json!(self.mime));
        Value::Object(entry)
    }
}

fn entry(key: &str, uri: &str, name: &str, title: &str, revision: Revision) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert(key.into(), json!(uri));
    entry.insert("name".into(), json!(name));
    if revision >= Revision::V2025_06_18 {
        entry.insert("title".into(), json!(title));
    }
    entry
}

pub(super) fn read(server: &Server, terms: &Terms, params: &Value) -> Result<Value, Refusal> {
    let Some(uri) = params["uri"].as_str() else {
        return Err(Refusal::invalid_params("`uri` must be a string"));
    };
    let listed = server.resources.iter().find(|r| r.uri == uri);
    let found = listed.map(|r| (r.mime, r.text.to_owned())).or_else(|| {
        server.templates.iter().find_map(|t| Some((t.mime, (t.read)(&server.world, uri)?)))
    });
    match found {
        Some((mime, text)) => {
            Ok(json!({ "contents": [{ "uri": uri, "mimeType": mime, "text": text }] }))
        }
        None => {
            let stateless = terms.revision.is_stateless();
            let code = if stateless { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
            Err(Refusal::new(code, "resource not found").with(json!({ "uri": uri })))
        }
    }
}
