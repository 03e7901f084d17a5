//! A correct MCP server: data about what it offers, and one function that answers a message.

mod completion;
mod dispatch;
mod handshake;
mod listing;
mod prompts;
mod resources;
mod session;
mod stateless;
mod subscriptions;
mod terms;
mod tools;

use serde_json::{Value, json};

pub(crate) use self::prompts::{Gap, Prompt};
pub(crate) use self::resources::{Resource, Template};
pub(crate) use self::session::Session;
pub(crate) use self::stateless::{CAPABILITIES_KEY, VERSION_KEY};

use crate::revision::Revision;
use crate::tool::Tool;
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Server {
    pub name: &'static str,
    pub title: &'static str,
    pub version: &'static str,
    pub instructions: Option<&'static str>,
    /// Oldest first.
    pub speaks: &'static [Revision],
    pub tools: Vec<Tool>,
    pub resources: Vec<Resource>,
    pub templates: Vec<Template>,
    pub prompts: Vec<Prompt>,
    pub logging: bool,
    pub completions: bool,
    /// Entries per page of a listing.
    pub page_size: usize,
    pub world: World,
}

/// What the server says to one message.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// The request these messages belong to.
    pub of: Option<Value>,
    pub says: Vec<Value>,
    /// The answer to that request is still to come.
    pub open: bool,
    /// A tool call was refused because of its arguments.
    pub bad_arguments: bool,
}

impl Server {
    /// A server with these tools and nothing else, speaking every revision.
    pub(crate) fn new(name: &'static str, title: &'static str, tools: Vec<Tool>) -> Server {
        Server {
            name,
            title,
            version: "1.0.0",
            instructions: None,
            speaks: &Revision::ALL,
            tools,
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            logging: false,
            completions: false,
            page_size: 50,
            world: World::new(),
        }
    }

    pub(crate) fn handle(&mut self, session: &mut Session, message: &Value) -> Turn {
        dispatch::handle(self, session, message)
    }

    pub(crate) fn info(&self, revision: Revision) -> Value {
        let mut info = json!({ "name": self.name, "version": self.version });
        if revision >= Revision::V2025_06_18 {
            info["title"] = json!(self.title);
        }
        info
    }

    pub(crate) fn capabilities(&self, revision: Revision) -> Value {
        let mut capabilities = json!({});
        if !self.tools.is_empty() {
            capabilities["tools"] = json!({});
        }
        if self.offers_resources() {
            capabilities["resources"] = json!({});
        }
        if !self.prompts.is_empty() {
            capabilities["prompts"] = json!({});
        }
        if self.logging {
            capabilities["logging"] = json!({});
        }
        // The first revision has the method but no capability to declare it with.
        if self.completions && revision >= Revision::V2025_03_26 {
            capabilities["completions"] = json!({});
        }
        capabilities
    }

    pub(crate) fn offers_resources(&self) -> bool {
        !self.resources.is_empty() || !self.templates.is_empty()
    }
}
