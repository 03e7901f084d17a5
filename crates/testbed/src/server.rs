//! A correct MCP server: data about what it offers, and one function that answers a message.

mod asking;
mod completion;
mod dispatch;
mod handshake;
mod later;
mod listing;
mod prompts;
mod resources;
mod session;
mod stateless;
mod subscriptions;
mod tasks;
mod terms;
mod tools;

use serde_json::{Value, json};

pub(crate) use self::later::{Later, Work};
pub(crate) use self::prompts::{Gap, Prompt};
pub(crate) use self::resources::{Body, Resource, Template};
pub(crate) use self::session::Session;
pub(crate) use self::stateless::{CAPABILITIES_KEY, VERSION_KEY};
pub(crate) use self::subscriptions::Told;

use self::tasks::TaskBook;
use crate::change::Change;
use crate::revision::Revision;
use crate::tool::Tool;
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Server {
    pub name: &'static str,
    pub title: &'static str,
    pub version: &'static str,
    pub instructions: Option<&'static str>,
    /// One sentence about the server.
    pub about: Option<&'static str>,
    /// A `data:` URI.
    pub icon: Option<&'static str>,
    /// Oldest first.
    pub speaks: &'static [Revision],
    pub tools: Vec<Tool>,
    pub resources: Vec<Resource>,
    pub templates: Vec<Template>,
    pub prompts: Vec<Prompt>,
    pub logging: bool,
    pub completions: bool,
    /// Tools may change lists and resources, and who listens is told.
    pub changes: bool,
    /// Calls may run as tasks.
    pub tasks: bool,
    /// Entries per page of a listing.
    pub page_size: usize,
    pub world: World,
    /// Tasks of the stateless revision, which belong to no connection.
    pub handles: TaskBook,
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
    /// A notification that was not well-formed, and why.
    pub mangled: Option<&'static str>,
    /// More is to be said after a while.
    pub later: Option<Later>,
}

impl Server {
    /// A server with these tools and nothing else, speaking every revision.
    pub(crate) fn new(name: &'static str, title: &'static str, tools: Vec<Tool>) -> Server {
        Server {
            name,
            title,
            version: "1.0.0",
            instructions: None,
            about: None,
            icon: None,
            speaks: &Revision::ALL,
            tools,
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            logging: false,
            completions: false,
            changes: false,
            tasks: false,
            page_size: 50,
            world: World::new(),
            handles: TaskBook::default(),
        }
    }

    pub(crate) fn handle(&mut self, session: &mut Session, message: &Value) -> Turn {
        dispatch::handle(self, session, message)
    }

    /// Goes on with what takes time.
    pub(crate) fn resume(&mut self, session: &mut Session, work: Work) -> Turn {
        later::resume(session, work)
    }

    /// What a client hears of a change, outside any answer.
    pub(crate) fn tell(&self, session: &Session, change: &Change) -> Vec<Told> {
        subscriptions::tell(self, session, change)
    }

    /// What a client hears when the server goes.
    pub(crate) fn farewell(&self, session: &mut Session) -> Vec<Value> {
        subscriptions::farewell(self, session)
    }

    pub(crate) fn info(&self, revision: Revision) -> Value {
        let mut info = json!({ "name": self.name, "version": self.version });
        if revision >= Revision::V2025_06_18 {
            info["title"] = json!(self.title);
        }
        if revision >= Revision::V2025_11_25 {
            if let Some(about) = self.about {
                info["description"] = json!(about);
            }
            if let Some(icon) = self.icon {
                info["icons"] = json!([{ "src": icon, "mimeType": "image/png" }]);
            }
        }
        info
    }

    /// What this client may use; `exclusive` when the transport has no other client.
    pub(crate) fn capabilities(&self, revision: Revision, exclusive: bool) -> Value {
        let mut capabilities = json!({});
        let lists_change = self.changes && !revision.is_stateless();
        let list = || if lists_change { json!({ "listChanged": true }) } else { json!({}) };
        if !self.tools.is_empty() {
            capabilities["tools"] = list();
        }
        if self.offers_resources() {
            capabilities["resources"] = list();
            if self.changes {
                capabilities["resources"]["subscribe"] = json!(true);
            }
        }
        if !self.prompts.is_empty() {
            capabilities["prompts"] = list();
        }
        if self.logging {
            capabilities["logging"] = json!({});
        }
        // The first revision has the method but no capability to declare it with.
        if self.completions && revision >= Revision::V2025_03_26 {
            capabilities["completions"] = json!({});
        }
        if self.tasks && revision == Revision::V2025_11_25 {
            capabilities["tasks"] =
                json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
            if exclusive {
                capabilities["tasks"]["list"] = json!({});
            }
        }
        if self.tasks && revision.is_stateless() {
            capabilities["extensions"] = json!({ tasks::EXTENSION: {} });
        }
        capabilities
    }

    pub(crate) fn offers_resources(&self) -> bool {
        !self.resources.is_empty() || !self.templates.is_empty()
    }
}
