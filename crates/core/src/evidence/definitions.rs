//! Every text by which a server describes itself: what a model reads before it calls anything.

use serde_json::Value;

use super::{Evidence, Subject};

/// One text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition<'a> {
    pub subject: Subject,
    /// A JSON pointer into the definition; names of properties stand under `…/` and their own name.
    pub pointer: String,
    pub text: &'a str,
}

impl Evidence {
    /// Names, descriptions, schemas and all else of tools, resources, templates and prompts, and
    /// the instructions, in the order they were listed.
    pub fn definitions(&self) -> Vec<Definition<'_>> {
        let mut found = Vec::new();
        if let Some(handshake) = &self.handshake {
            let server = &handshake.server;
            let own = [
                ("/serverInfo/name", &server.name),
                ("/serverInfo/title", &server.title),
                ("/instructions", &handshake.instructions),
            ];
            for (pointer, text) in own {
                if let Some(text) = text {
                    let pointer = pointer.to_owned();
                    found.push(Definition { subject: Subject::Server, pointer, text });
                }
            }
        }
        for tool in self.tools() {
            collect(&Subject::tool_named(&tool.name), String::new(), &tool.raw, &mut found);
        }
        let inventory = &self.inventory;
        for resource in &inventory.resources {
            let subject = Subject::Resource { uri: resource.uri.clone() };
            collect(&subject, String::new(), &resource.raw, &mut found);
        }
        for template in &inventory.templates {
            let subject = Subject::Resource { uri: template.uri_template.clone() };
            collect(&subject, String::new(), &template.raw, &mut found);
        }
        for prompt in &inventory.prompts {
            let subject = Subject::Prompt { prompt: prompt.name.clone() };
            collect(&subject, String::new(), &prompt.raw, &mut found);
        }
        found
    }
}

fn collect<'a>(
    subject: &Subject,
    pointer: String,
    value: &'a Value,
    found: &mut Vec<Definition<'a>>,
) {
    match value {
        Value::String(text) => {
            found.push(Definition { subject: subject.clone(), pointer, text });
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                collect(subject, format!("{pointer}/{i}"), item, found);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                let inner = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                found.push(Definition {
                    subject: subject.clone(),
                    pointer: inner.clone(),
                    text: key,
                });
                collect(subject, inner, item, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
