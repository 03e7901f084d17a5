//! Doors: texts of callers also come in by the gaps of resource templates, the arguments of prompts
//! and the questions of completion. Each is dressed as a tool, so that all attacks get to it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::arguments::{Place, Slot};
use crate::evidence::{Evidence, Exchange, Prompt, Subject, Template, Tool};
use crate::probe::{Call, Send};
use crate::probes::benign::Tried;
use crate::probes::template_read::{expand, gaps, values};
use crate::probes::{prompt_get, template_read};
use crate::seed::Seed;

/// More are attacked in no run, and no more of their texts.
const MOST: usize = 8;
const TEXTS: usize = 3;

/// How a text gets in.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Tool,
    /// By the gaps of this URI template.
    Template(String),
    /// By the arguments of this prompt.
    Prompt(String),
    /// As the beginning of what is asked about: the reference, and the name of the argument.
    Completion(Value, String),
}

/// A way in that is no tool.
#[derive(Debug)]
pub struct Door {
    pub tool: Tool,
    subject: Subject,
    entry: Entry,
    /// Ordinary texts for all that it takes.
    arguments: Value,
}

/// All of which ordinary use is known.
pub fn doors(evidence: &Evidence) -> Vec<Door> {
    let inventory = &evidence.inventory;
    let templates = inventory.templates.iter().filter_map(|t| of_template(evidence, t));
    let prompts = inventory.prompts.iter().filter_map(|p| of_prompt(evidence, p));
    let mut all: Vec<Door> = templates.take(MOST).chain(prompts.take(MOST)).collect();
    let completes = |h: &crate::evidence::Handshake| h.capabilities.get("completions").is_some();
    if evidence.handshake.as_ref().is_some_and(completes) {
        let asked: Vec<Door> = all.iter().flat_map(of_completion).collect();
        all.extend(asked);
    }
    all
}

/// The way in that a finding is about, dressed as a tool.
pub fn dressed(evidence: &Evidence, subject: &Subject) -> Option<Tool> {
    doors(evidence).into_iter().find(|d| d.subject == *subject).map(|d| d.tool)
}

fn of_template(evidence: &Evidence, template: &Template) -> Option<Door> {
    let uri = &template.uri_template;
    let subject = Subject::Resource { uri: uri.clone() };
    let tries = || {
        evidence
            .of(template_read::PROBE.id)
            .filter(|x| x.subject == subject && x.send.method() == Some("resources/read"))
    };
    let known = tries().find(|x| x.result().is_some()).or_else(|| tries().last())?;
    let arguments = values(uri, known.send.params()?.get("uri")?.as_str()?)?;
    let about = described(&template.raw);
    let about = format!("{}. {about}", template.name);
    let tool =
        dress(&format!("read {uri}"), &about, gaps(uri).into_iter().map(|n| (n, about.clone())))?;
    Some(Door { tool, subject, entry: Entry::Template(uri.clone()), arguments: json!(arguments) })
}

fn of_prompt(evidence: &Evidence, prompt: &Prompt) -> Option<Door> {
    let subject = Subject::Prompt { prompt: prompt.name.clone() };
    let tries = || {
        evidence
            .of(prompt_get::PROBE.id)
            .filter(|x| x.subject == subject && x.arguments().is_some_and(Value::is_object))
    };
    let known = tries().filter(|x| x.result().is_some()).last().or_else(|| tries().last())?;
    let arguments = known.arguments()?.clone();
    let named = prompt.arguments.iter().filter(|a| arguments.get(&a.name).is_some());
    let named = named.map(|a| (a.name.clone(), prompt_get::described(prompt, &a.name).to_owned()));
    let tool = dress(&format!("get {}", prompt.name), &described(&prompt.raw), named)?;
    Some(Door { tool, subject, entry: Entry::Prompt(prompt.name.clone()), arguments })
}

/// What is typed into one field of a template or prompt.
fn of_completion(door: &Door) -> Vec<Door> {
    let reference = match &door.entry {
        Entry::Template(uri) => json!({"type": "ref/resource", "uri": uri}),
        Entry::Prompt(name) => json!({"type": "ref/prompt", "name": name}),
        Entry::Tool | Entry::Completion(..) => return Vec::new(),
    };
    let of = |(name, schema): (&str, &Value)| {
        let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let asked = std::iter::once((name.to_owned(), about.to_owned()));
        let tool = dress(&format!("look up {name} for {}", door.tool.name), about, asked)?;
        let arguments = json!({name: door.arguments.get(name)?});
        let entry = Entry::Completion(reference.clone(), name.to_owned());
        Some(Door { tool, subject: door.subject.clone(), entry, arguments })
    };
    door.tool.parameters().filter_map(of).collect()
}

fn described(raw: &Value) -> String {
    raw.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn dress(name: &str, about: &str, texts: impl Iterator<Item = (String, String)>) -> Option<Tool> {
    let property =
        |(name, about): (String, String)| (name, json!({"type": "string", "description": about}));
    let properties: Map<String, Value> = texts.take(TEXTS).map(property).collect();
    if properties.is_empty() {
        return None;
    }
    let schema = json!({"type": "object", "properties": properties});
    Tool::from_raw(&json!({"name": name, "description": about, "inputSchema": schema})).ok()
}

impl Door {
    fn twin(&self) -> String {
        match &self.entry {
            Entry::Completion(_, name) => format!("benign completion of /{name}"),
            Entry::Tool | Entry::Template(_) | Entry::Prompt(_) => "benign".to_owned(),
        }
    }

    fn places(&self) -> Vec<Place> {
        let place = |(name, _): (&str, &Value)| {
            let location = format!("/{name}");
            Place::at(&self.tool, Slot::Text, &location, &self.arguments, &self.twin())
        };
        self.tool.parameters().filter_map(place).collect()
    }

    /// The benign side: an ordinary call, and one with a word that nobody knows in each place.
    pub fn benign(&self, seed: Seed) -> Vec<Call> {
        let mut calls: Vec<Call> =
            self.entry.call(&self.tool, self.twin(), &self.arguments, "").into_iter().collect();
        for place in self.places() {
            let label = self.entry.label("word", &place);
            let word = json!(seed.word(&format!("{} {label}", self.tool.name), 9));
            let call = place.filled(&self.tool, &word).and_then(|(arguments, _)| {
                self.entry.call(&self.tool, label, &arguments, &place.pointer)
            });
            calls.extend(call.map(|c| c.with_control(place.twin)));
        }
        calls
    }

    /// The places that were tried and answered.
    pub fn tried<'a>(&self, evidence: &'a Evidence, probe: &'a str) -> Vec<Tried<'a>> {
        let made = |label: &str| {
            evidence.of(probe).find(|x| x.subject == self.subject && x.label == label)
        };
        let answered = |x: &&Exchange| x.reply.why_unseen().is_none();
        if made(&self.twin()).filter(answered).is_none() {
            return Vec::new();
        }
        let places = self.places().into_iter().filter_map(|place| {
            let word = made(&self.entry.label("word", &place)).filter(answered)?;
            Some(Tried { place, word, closed: false, entry: self.entry.clone() })
        });
        places.collect()
    }
}

impl Entry {
    /// The call that carries these arguments; `None` where they cannot be carried.
    pub fn call(&self, tool: &Tool, label: String, arguments: &Value, about: &str) -> Option<Call> {
        let texts = || -> Option<BTreeMap<String, String>> {
            let text =
                |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
            arguments.as_object()?.iter().map(text).collect()
        };
        let (subject, method, params) = match self {
            Entry::Tool => {
                let call = Call::tool(&tool.name, label, arguments.clone());
                return Some(if about.is_empty() { call } else { call.about(about) });
            }
            Entry::Template(uri) => {
                let params = json!({"uri": expand(uri, &texts()?)?});
                (Subject::Resource { uri: uri.clone() }, "resources/read", params)
            }
            Entry::Prompt(name) => {
                let params = json!({"name": name, "arguments": texts()?});
                (Subject::Prompt { prompt: name.clone() }, "prompts/get", params)
            }
            Entry::Completion(reference, name) => {
                let argument = json!({"name": name, "value": texts()?.get(name)?});
                let params = json!({"ref": reference, "argument": argument});
                (about_reference(reference)?, "completion/complete", params)
            }
        };
        Some(Call::new(subject, label, Send::request(method, Some(params))))
    }

    /// The name of a case in one place.
    pub fn label(&self, name: &str, place: &Place) -> String {
        match (self, place.slot) {
            (Entry::Completion(..), _) => format!("{name} completing {}", place.location()),
            (_, Slot::Text | Slot::Scalar) => format!("{name} in {}", place.location()),
            (_, Slot::Key) => format!("{name} as the name of {}", place.location()),
        }
    }

    /// The name of a group of calls about one place, where the subject of a finding may be that of several.
    pub fn group(&self, name: &str, place: &Place) -> String {
        match self {
            Entry::Tool if place.location() == place.pointer => name.to_owned(),
            Entry::Tool | Entry::Template(_) | Entry::Prompt(_) | Entry::Completion(..) => {
                self.label(name, place)
            }
        }
    }
}

fn about_reference(reference: &Value) -> Option<Subject> {
    let text = |key: &str| reference.get(key).and_then(Value::as_str).map(str::to_owned);
    let prompt = || text("name").map(|prompt| Subject::Prompt { prompt });
    text("uri").map(|uri| Subject::Resource { uri }).or_else(prompt)
}

/// The hostile text of a call through a door.
pub fn payload(exchange: &Exchange) -> Option<String> {
    let params = exchange.send.params()?;
    if let Some(typed) = params.pointer("/argument/value") {
        return typed.as_str().map(str::to_owned);
    }
    let (_, name) = exchange.label.rsplit_once(" in /")?;
    match &exchange.subject {
        Subject::Prompt { .. } => params.get("arguments")?.get(name)?.as_str().map(str::to_owned),
        Subject::Resource { uri } => values(uri, params.get("uri")?.as_str()?)?.remove(name),
        Subject::Server | Subject::Tool { .. } | Subject::Param { .. } | Subject::File { .. } => {
            None
        }
    }
}
