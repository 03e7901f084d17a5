//! Demonstrations: the calls of `shown.toml` and what must be seen of them.

use std::fs;
use std::time::Duration;

use proofmark_testbed::{Sample, Samples, Truth};
use serde::Deserialize;
use serde_json::Value;

use super::world::{Outcome, Session, World};

/// What the slow call must take at least, and how many times what the quick one took.
const SLOW: (Duration, u32) = (Duration::from_millis(30), 4);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shown {
    server: String,
    tool: Option<String>,
    resource: Option<String>,
    prompt: Option<String>,
    parameter: Option<String>,
    class: String,
    #[serde(default)]
    calls: Vec<Step>,
    says: Option<String>,
    is: Option<String>,
    file: Option<String>,
    gone: Option<String>,
    grows: Option<String>,
    visit: Option<String>,
    #[serde(default)]
    slow: bool,
    log: Option<String>,
    listed: Option<String>,
    relisted: Option<String>,
    instructions: Option<String>,
    client: Option<String>,
    #[serde(default)]
    again: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    tool: Option<String>,
    /// A resource to be read in place of a call.
    read: Option<String>,
    /// A prompt to be got in place of a call.
    prompt: Option<String>,
    #[serde(default)]
    arguments: Value,
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

pub(super) fn read() -> Vec<Shown> {
    #[derive(Deserialize)]
    struct File {
        shown: Vec<Shown>,
    }
    toml::from_str::<File>(include_str!("shown.toml")).unwrap().shown
}

impl Shown {
    pub(super) fn is_about(&self, truth: &Truth) -> bool {
        self.server == truth.server
            && (&self.tool, &self.resource, &self.prompt)
                == (&truth.tool, &truth.resource, &truth.prompt)
            && self.class == truth.class
            && (self.parameter.is_none() || self.parameter == truth.parameter)
    }

    /// What was not seen.
    pub(super) fn run(&self, samples: &Samples) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut expect = |seen: bool, what: &str| {
            if !seen {
                wrong.push(format!("{} {:?} {}: {what}", self.server, self.tool, self.class));
            }
        };
        let world = World::new();
        let sample = sample(samples, &self.server);
        if self.again || self.client.is_some() {
            let before = self.definition(&mut world.start(sample, "test"));
            expect(!before.contains(self.listed.as_deref().unwrap()), "it was there before");
        }
        let mut session = world.start(sample, self.client.as_deref().unwrap_or("test"));
        let before = self.definition(&mut session);
        if let Some(text) = &self.listed {
            expect(before.contains(text), "is not in the definition");
        }
        if let Some(text) = &self.instructions {
            let welcome = session.welcome["result"]["instructions"].as_str().unwrap_or_default();
            expect(welcome.contains(text), "is not in the instructions");
        }
        if !self.calls.is_empty() {
            self.call(&world, &mut session, &mut expect);
        }
        if let Some(text) = &self.log {
            expect(session.log().contains(text), "is not in the log");
        }
        if let Some(text) = &self.relisted {
            expect(!before.contains(text), "was in the definition before");
            expect(self.definition(&mut session).contains(text), "the definition stays");
        }
        wrong
    }

    fn call(&self, world: &World, session: &mut Session, expect: &mut impl FnMut(bool, &str)) {
        let there =
            |path: &Option<String>| path.as_ref().is_some_and(|below| world.path(below).exists());
        let size = || {
            let path = world.path(self.grows.as_deref().unwrap_or_default());
            fs::metadata(path).map_or(0, |m| m.len())
        };
        expect(!there(&self.file), "the file was there before");
        expect(self.gone.is_none() || there(&self.gone), "the file was never there");
        let (said, sizes) = make(world, session, self.tool(), &self.calls, size);
        let (first, last) = (&said[0], &said[said.len() - 1]);
        if let Some(text) = &self.says {
            let asked: Vec<String> =
                self.calls.iter().map(|c| world.fill(&c.arguments).to_string()).collect();
            expect(last.text.contains(text), &format!("does not say it: {}", last.text));
            expect(asked.iter().all(|a| !a.contains(text)), "was asked for by name");
            expect(said.len() == 1 || !first.text.contains(text), "the first answer has it too");
        }
        if let Some(text) = &self.is {
            expect(last.text == *text && first.text != *text, "the two answers are alike");
        }
        expect(self.file.is_none() || there(&self.file), "no file appeared");
        expect(!there(&self.gone), "the file is still there");
        let [.., earlier, later] = sizes[..] else { return };
        expect(self.grows.is_none() || earlier > 0 && earlier < later, "the file did not grow");
        if let Some(path) = &self.visit {
            expect(world.visits().contains(path), "our page was not visited");
        }
        let slow = last.took >= SLOW.0 && last.took >= first.took * SLOW.1;
        expect(!self.slow || slow, &format!("took {:?} after {:?}", last.took, first.took));
    }

    /// As it is listed; empty for the server as a whole.
    fn definition(&self, session: &mut Session) -> String {
        let mut listed = session.definitions();
        listed.extend(session.offers());
        let name = [&self.tool, &self.resource, &self.prompt].into_iter().flatten().next();
        name.and_then(|n| listed.remove(n)).unwrap_or_default()
    }

    fn tool(&self) -> &str {
        self.tool.as_deref().unwrap_or_default()
    }
}

pub(super) fn sample<'a>(samples: &'a Samples, name: &str) -> &'a Sample {
    samples.servers.iter().find(|s| s.name == name).unwrap()
}

/// Makes the calls; tells every answer, and the measure before the first and after each.
pub(super) fn make<T>(
    world: &World,
    session: &mut Session,
    tool: &str,
    steps: &[Step],
    measure: impl Fn() -> T,
) -> (Vec<Outcome>, Vec<T>) {
    let (mut said, mut measures) = (Vec::new(), vec![measure()]);
    for step in steps {
        let arguments = world.fill(&step.arguments);
        for _ in 0..step.times {
            said.push(match (&step.read, &step.prompt) {
                (Some(uri), _) => session.read(&world.fill_text(uri)),
                (None, Some(name)) => session.prompt(name, &arguments),
                (None, None) => session.call(step.tool.as_deref().unwrap_or(tool), &arguments),
            });
            measures.push(measure());
        }
    }
    (said, measures)
}
