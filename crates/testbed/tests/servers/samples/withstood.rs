//! Look-alikes: a valid call works, and hostile values in place of its texts come to nothing.

use std::time::Duration;

use proofmark_testbed::{Samples, Truth};
use serde::Deserialize;
use serde_json::Value;

use super::payloads::{LONG, PAIRS, PAYLOADS, TELLTALE};
use super::shown::{Step, make, sample};
use super::world::{Outcome, SECRETS, Session, World};

/// Far more than any of these tools needs on a busy machine.
const PROMPT: Duration = Duration::from_secs(4);

/// Classes of tools that put their input into a question.
const QUERIES: [&str; 4] =
    ["sql_injection", "nosql_injection", "ldap_injection", "xpath_injection"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Withstood {
    pub(super) valid: Vec<Valid>,
    pub(super) never: Vec<Never>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Valid {
    server: String,
    tool: String,
    arguments: Value,
    #[serde(default)]
    fails: bool,
    opened: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Never {
    server: String,
    tool: Option<String>,
    resource: Option<String>,
    prompt: Option<String>,
    calls: Vec<Step>,
    says: String,
}

pub(super) fn read() -> Withstood {
    toml::from_str(include_str!("withstood.toml")).unwrap()
}

impl Never {
    pub(super) fn is_about(&self, truth: &Truth) -> bool {
        self.server == truth.server
            && (&self.tool, &self.resource, &self.prompt)
                == (&truth.tool, &truth.resource, &truth.prompt)
    }

    pub(super) fn run(&self, samples: &Samples) -> Vec<String> {
        let world = World::new();
        let mut session = world.start(sample(samples, &self.server), "test");
        let tool = self.tool.as_deref().unwrap_or_default();
        let (said, _) = make(&world, &mut session, tool, &self.calls, || ());
        let last = &said[said.len() - 1].text;
        let wrong = last.contains(&self.says);
        wrong.then(|| format!("{self:?}: {last}")).into_iter().collect()
    }
}

impl Valid {
    pub(super) fn is_about(&self, truth: &Truth) -> bool {
        self.server == truth.server && Some(&self.tool) == truth.tool.as_ref()
    }

    /// What came of hostile values, or that the valid call does not work.
    pub(super) fn run(&self, samples: &Samples) -> Vec<String> {
        let world = World::new();
        let mut session = world.start(sample(samples, &self.server), "test");
        if let Some(tool) = &self.opened {
            session.call(tool, &Value::Object(serde_json::Map::new()));
        }
        let plain = session.call(&self.tool, &self.arguments);
        if plain.failed != self.fails {
            return vec![format!("{}: {}", self.name(), plain.text)];
        }
        let reads = session.definitions()[&self.tool].contains("\"readOnlyHint\":true");
        let files = world.files();
        let mut wrong = Vec::new();
        let asks = samples.truths.iter().any(|t| self.is_about(t) && QUERIES.contains(&&*t.class));
        for pointer in texts(&self.arguments, String::new()) {
            wrong.extend(self.attack(&world, &mut session, &pointer));
            if asks {
                wrong.extend(self.compare(&mut session, &pointer));
            }
        }
        if reads && world.files() != files {
            wrong.push(format!("{}: says that it only reads, and wrote", self.name()));
        }
        wrong
    }

    fn attack(&self, world: &World, session: &mut Session, pointer: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        for payload in PAYLOADS.iter().chain(LONG) {
            let payload = world.fill_text(payload);
            let outcome = self.send(session, pointer, &payload);
            let before: String = payload.chars().take(80).collect();
            wrong.extend(self.came_of(world, &payload, &outcome).map(|w| format!("{w}: {before}")));
        }
        wrong
    }

    /// A true and a false condition must be the same to it.
    fn compare(&self, session: &mut Session, pointer: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        for [yes, no] in PAIRS {
            let [yes, no] =
                [yes, no].map(|p| self.send(session, pointer, p).text.replace(p, "").len());
            if yes != no {
                wrong.push(format!("{} tells true from false", self.name()));
            }
        }
        wrong
    }

    fn send(&self, session: &mut Session, pointer: &str, payload: &str) -> Outcome {
        let mut arguments = self.arguments.clone();
        *arguments.pointer_mut(pointer).unwrap() = payload.into();
        session.call(&self.tool, &arguments)
    }

    fn came_of(&self, world: &World, payload: &str, outcome: &Outcome) -> Option<String> {
        let told = SECRETS.iter().chain([&TELLTALE]).find(|s| {
            outcome.text.to_lowercase().contains(*s) && !payload.to_lowercase().contains(*s)
        });
        let name = self.name();
        if let Some(text) = told {
            return Some(format!("{name} tells {text}: {}", outcome.text));
        }
        if !world.visits().is_empty() {
            return Some(format!("{name} called {:?}", world.visits()));
        }
        if world.path("workspace/made.txt").exists() {
            return Some(format!("{name} made a file"));
        }
        (outcome.took > PROMPT).then(|| format!("{name} took {:?}", outcome.took))
    }

    fn name(&self) -> String {
        format!("{} {}", self.server, self.tool)
    }
}

/// JSON pointers to all texts.
fn texts(value: &Value, pointer: String) -> Vec<String> {
    match value {
        Value::String(_) => vec![pointer],
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(i, v)| texts(v, format!("{pointer}/{i}"))).collect()
        }
        Value::Object(map) => {
            map.iter().flat_map(|(k, v)| texts(v, format!("{pointer}/{k}"))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}
