//! Resources: fixed texts and pictures, and notes by URI template.

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
    pub body: Body,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    Text(&'static str),
    /// In base64.
    Blob(&'static str),
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
        if revision >= Revision::V2025_03_26 {
            entry.insert("size".into(), json!(self.body.size()));
        }
        entry.insert("annotations".into(), annotations(revision));
        Value::Object(entry)
    }

    /// The resource as a content block may embed it, and as reading returns it.
    pub(crate) fn content(&self) -> Value {
        match self.body {
            Body::Text(text) => json!({ "uri": self.uri, "mimeType": self.mime, "text": text }),
            Body::Blob(blob) => json!({ "uri": self.uri, "mimeType": self.mime, "blob": blob }),
        }
    }
}

impl Body {
    /// In bytes, once decoded.
    fn size(&self) -> usize {
        match self {
            Body::Text(text) => text.len(),
            Body::Blob(blob) => blob.trim_end_matches('=').len() * 3 / 4,
        }
    }
}

fn annotations(revision: Revision) -> Value {
    let mut annotations = json!({ "audience": ["user", "assistant"], "priority": 0.5 });
    if revision >= Revision::V2025_06_18 {
        annotations["lastModified"] = json!("2026-03-01T06:30:00Z");
    }
    annotations
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

/// The notes that were pinned, which is possible after a handshake only: lists never change in
/// the stateless revision.
pub(super) fn pinned(server: &Server, revision: Revision) -> impl Iterator<Item = Value> {
    let notes = server.world.notes.iter().filter(|note| server.world.pinned.contains(&note.id));
    let notes = notes.filter(move |_| !revision.is_stateless());
    notes.map(move |note| {
        let uri = format!("notes://{}", note.id);
        let mut entry = entry("uri", &uri, &note.id, &note.title, revision);
        entry.insert("mimeType".into(), json!("text/markdown"));
        Value::Object(entry)
    })
}

/// What reading this URI returns.
pub(super) fn find(server: &Server, uri: &str) -> Option<Value> {
    let listed = server.resources.iter().find(|r| r.uri == uri).map(Resource::content);
    listed.or_else(|| {
        server.templates.iter().find_map(|template| {
            let text = (template.read)(&server.world, uri)?;
            Some(json!({ "uri": uri, "mimeType": template.mime, "text": text }))
        })
    })
}

pub(super) fn read(server: &Server, terms: &Terms, params: &Value) -> Result<Value, Refusal> {
    let Some(uri) = params["uri"].as_str() else {
        return Err(Refusal::invalid_params("`uri` must be a string"));
    };
    match find(server, uri) {
        Some(content) => Ok(json!({ "contents": [content] })),
        None => Err(not_found(uri, terms.revision.is_stateless())),
    }
}

pub(super) fn not_found(uri: &str, stateless: bool) -> Refusal {
    let code = if stateless { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
    Refusal::new(code, "resource not found").with(json!({ "uri": uri }))
}
