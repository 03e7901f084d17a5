//! A tool: what the listing says about it, and what a call does.

use std::sync::OnceLock;
use std::time::Duration;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::ask::Ask;
use crate::revision::Revision;
use crate::world::World;

/// What a call does. Arguments have been validated against the input schema.
pub(crate) type Answering = fn(&mut World, &Value, &mut Aside) -> Answer;
pub(crate) type Asking = fn(&World, &Value) -> Ask;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Run {
    Answers(Answering),
    /// Needs the user, the model or the roots of the client first.
    Asks(Asking),
}

#[derive(Debug)]
pub(crate) struct Tool {
    pub name: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub input: Value,
    pub output: Option<Value>,
    pub annotations: Option<Value>,
    /// Not offered in older revisions, which lack what it needs.
    pub since: Revision,
    /// Nor in newer ones than this.
    pub until: Revision,
    /// Offered in winter only.
    pub winter: bool,
    pub task: TaskSupport,
    /// A `data:` URI.
    pub icon: Option<&'static str>,
    pub run: Run,
    validator: OnceLock<Option<Validator>>,
}

/// Whether a call may be, or has to be, a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskSupport {
    Forbidden,
    Optional,
    Required,
}

/// What a tool says.
#[derive(Debug)]
pub(crate) enum Answer {
    Text(String),
    /// Structured content; older revisions get its text alone.
    Data(Value),
    /// Content blocks of any kind beside the structured content.
    Shown {
        blocks: Vec<Value>,
        data: Value,
    },
    /// A failure of the tool itself, reported with `isError`.
    Failure(String),
}

/// What a tool says beside its answer: the server sends what the client asked to hear.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    pub logs: Vec<(&'static str, Value)>,
    /// Steps done so far, out of how many, and a word about it.
    pub progress: Vec<(u64, u64, String)>,
    /// How long the call takes.
    pub takes: Duration,
}

impl Tool {
    pub(crate) fn new(name: &str, description: &str, input: Value, run: Answering) -> Tool {
        Tool::running(name, description, input, Run::Answers(run))
    }

    pub(crate) fn asking(name: &str, description: &str, input: Value, run: Asking) -> Tool {
        Tool::running(name, description, input, Run::Asks(run))
    }

    fn running(name: &str, description: &str, input: Value, run: Run) -> Tool {
        Tool {
            name: name.to_owned(),
            title: None,
            description: Some(description.to_owned()),
            input,
            output: None,
            annotations: None,
            since: Revision::V2024_11_05,
            until: Revision::V2026_07_28,
            winter: false,
            task: TaskSupport::Forbidden,
            icon: None,
            run,
            validator: OnceLock::new(),
        }
    }

    pub(crate) fn titled(mut self, title: &str) -> Tool {
        self.title = Some(title.to_owned());
        self
    }

    pub(crate) fn returning(mut self, output: Value) -> Tool {
        self.output = Some(output);
        self
    }

    /// The same definition, another deed.
    pub(crate) fn doing(mut self, run: Answering) -> Tool {
        self.run = Run::Answers(run);
        self
    }

    pub(crate) fn since(mut self, revision: Revision) -> Tool {
        self.since = revision;
        self
    }

    pub(crate) fn until(mut self, revision: Revision) -> Tool {
        self.until = revision;
        self
    }

    pub(crate) fn in_winter(mut self) -> Tool {
        self.winter = true;
        self
    }

    pub(crate) fn tasks(mut self, support: TaskSupport) -> Tool {
        self.task = support;
        self
    }

    pub(crate) fn pictured(mut self, icon: &'static str) -> Tool {
        self.icon = Some(icon);
        self
    }

    pub(crate) fn is_offered(&self, world: &World, revision: Revision) -> bool {
        self.since <= revision && revision <= self.until && (world.winter || !self.winter)
    }

    pub(crate) fn reads(self) -> Tool {
        self.hinted(true, true)
    }

    pub(crate) fn writes(self) -> Tool {
        self.hinted(false, false)
    }

    fn hinted(mut self, read_only: bool, idempotent: bool) -> Tool {
        self.annotations = Some(json!({
            "readOnlyHint": read_only,
            "destructiveHint": false,
            "idempotentHint": idempotent,
            "openWorldHint": false,
        }));
        self
    }

    /// The entry in `tools/list`, with the fields the revision knows.
    pub(crate) fn listed(&self, revision: Revision) -> Value {
        let mut entry = Map::new();
        entry.insert("name".into(), json!(self.name));
        if let (Some(title), true) = (&self.title, revision >= Revision::V2025_06_18) {
            entry.insert("title".into(), json!(title));
        }
        if let Some(description) = &self.description {
            entry.insert("description".into(), json!(description));
        }
        entry.insert("inputSchema".into(), self.input.clone());
        if let (Some(output), true) = (&self.output, revision >= Revision::V2025_06_18) {
            entry.insert("outputSchema".into(), output.clone());
        }
        if let (Some(annotations), true) = (&self.annotations, revision >= Revision::V2025_03_26) {
            entry.insert("annotations".into(), annotations.clone());
        }
        if let (Some(icon), true) = (self.icon, revision >= Revision::V2025_11_25) {
            entry.insert("icons".into(), json!([{ "src": icon, "mimeType": "image/png" }]));
        }
        if let (Some(support), true) = (self.task.listed(), revision == Revision::V2025_11_25) {
            entry.insert("execution".into(), json!({ "taskSupport": support }));
        }
        Value::Object(entry)
    }

    /// What is wrong with the arguments, naming each field; values are not repeated.
    pub(crate) fn complaints(&self, arguments: &Value) -> Vec<String> {
        let validator = self.validator.get_or_init(|| jsonschema::validator_for(&self.input).ok());
        let Some(validator) = validator else { return Vec::new() };
        validator
            .iter_errors(arguments)
            .take(5)
            .map(|error| {
                let path = error.instance_path().to_string();
                let what = error.masked_with("the value");
                match path.trim_start_matches('/') {
                    "" => format!("{what}"),
                    field => format!("argument `{field}`: {what}"),
                }
            })
            .collect()
    }
}

impl TaskSupport {
    /// Forbidden is what is meant when nothing is said.
    fn listed(self) -> Option<&'static str> {
        match self {
            TaskSupport::Forbidden => None,
            TaskSupport::Optional => Some("optional"),
            TaskSupport::Required => Some("required"),
        }
    }
}

/// An input schema: an object of these properties and no others.
pub(crate) fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
