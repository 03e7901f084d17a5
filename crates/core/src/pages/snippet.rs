//! Snippets: evidence written short. Everything left out has the value of an ordinary, healthy
//! run: a stdio server that is up, speaks the newest handshake revision and declares what it has.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::short::{ShortAnomaly, ShortDeparture, ShortExchange, ShortFrame, ShortIncoming};
use crate::evidence::{
    Canary, ClientCapabilities, Conditions, Document, DownCause, Effect, Evidence, Exchange,
    ExchangeId, Exit, Handshake, Inventory, Isolation, IsolationLevel, Link, ListState, Listing,
    Malformed, Micros, Observation, Policy, Profile, Prompt, Reply, Resource, Scope, ServerInfo,
    Source, Startup, Subject, Template, TokenKind, Tool, Trace, Usage, Visit,
};
use crate::pin::Pin;
use crate::probe::{Connection, Risk, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::target::Target;

/// Expands a snippet. The error names the field.
pub fn evidence(json: &str) -> Result<Evidence, String> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let snippet: Snippet = serde_path_to_error::deserialize(&mut reader)
        .map_err(|e| format!("at `{}`: {}", e.path(), e.inner()))?;
    reader.end().map_err(|e| format!("has text after the JSON value: {e}"))?;
    snippet.expand()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Snippet {
    tools: Vec<Value>,
    /// Tokens of the tools, in their order.
    costs: Vec<u32>,
    resources: Vec<Value>,
    templates: Vec<Value>,
    prompts: Vec<Value>,
    /// By method; lists not named here are complete, or not offered when empty.
    listings: BTreeMap<String, ListState>,
    exchanges: Vec<ShortExchange>,
    handshake: ShortHandshake,
    /// Further connections, besides the main one.
    links: Vec<Link>,
    revision: Revision,
    down: Option<ShortDown>,
    /// No server was asked for.
    not_started: bool,
    stderr: Vec<String>,
    anomalies: Vec<ShortAnomaly>,
    departures: Vec<ShortDeparture>,
    incoming: Vec<ShortIncoming>,
    frames: Vec<ShortFrame>,
    observations: Vec<Observation>,
    effects: Vec<Effect>,
    visits: Vec<Visit>,
    /// Base address of our own pages.
    content: Option<String>,
    traces: Vec<Trace>,
    readme: Option<String>,
    source: Option<Source>,
    target: Target,
    canaries: Vec<Canary>,
    workspace: String,
    profile: Profile,
    scope: Scope,
    policy: Policy,
    client: ClientCapabilities,
    seed: Seed,
    tokens: BTreeSet<TokenKind>,
    /// The tools of the baseline, as `tools` are written.
    baseline: Option<Vec<Value>>,
    listens: Vec<std::net::IpAddr>,
    /// Those that settings allow.
    licences: Option<Vec<String>>,
}

impl Default for Snippet {
    fn default() -> Snippet {
        Snippet {
            tools: vec![],
            costs: vec![],
            resources: vec![],
            templates: vec![],
            prompts: vec![],
            listings: BTreeMap::new(),
            exchanges: vec![],
            handshake: ShortHandshake::default(),
            links: vec![],
            revision: Revision::NEWEST_HANDSHAKE,
            down: None,
            not_started: false,
            stderr: vec![],
            anomalies: vec![],
            departures: vec![],
            incoming: vec![],
            frames: vec![],
            observations: vec![],
            effects: vec![],
            visits: vec![],
            content: None,
            traces: vec![],
            readme: None,
            source: None,
            target: Target::Stdio {
                command: "server".to_owned(),
                args: vec![],
                env: BTreeMap::new(),
                cwd: None,
            },
            canaries: vec![],
            workspace: "/scratch/work".to_owned(),
            profile: Profile::Standard,
            scope: Scope::default(),
            policy: Policy {
                passive: false,
                allow: Risk::Destroys,
                allow_hostile: Risk::Destroys,
                disposable: true,
            },
            client: ClientCapabilities::ALL,
            seed: Seed(1),
            tokens: BTreeSet::new(),
            baseline: None,
            listens: vec![],
            licences: None,
        }
    }
}

impl Snippet {
    fn expand(mut self) -> Result<Evidence, String> {
        let up = self.down.is_none() && !self.not_started;
        let mut evidence = Evidence::begin(self.target.clone(), self.conditions());
        evidence.inventory = self.inventory()?;
        for (tool, tokens) in evidence.inventory.tools.iter_mut().zip(&self.costs) {
            tool.tokens = Some(*tokens);
        }
        if let Some(tools) = self.baseline.take() {
            let then = Snippet { tools, ..Snippet::default() }.expand()?;
            evidence.conditions.baseline = Some(Pin::of(&then));
        }
        evidence.startup = match self.down.take() {
            Some(down) => down.expand(),
            None if self.not_started => Startup::NotTried,
            None => Startup::Up { took: Micros(200_000) },
        };
        if up {
            let handshake = self.handshake.expand(self.revision, &evidence.inventory);
            evidence.transcript.push(opening(&handshake));
            evidence.handshake = Some(handshake);
        }
        evidence.links = self.links;
        for short in self.exchanges {
            let id = ExchangeId(evidence.transcript.len() as u32);
            evidence.transcript.push(short.expand(id)?);
        }
        evidence.anomalies = self.anomalies.into_iter().map(ShortAnomaly::expand).collect();
        evidence.departures = self.departures.into_iter().map(ShortDeparture::expand).collect();
        evidence.incoming = self.incoming.into_iter().map(ShortIncoming::expand).collect();
        evidence.observations = self.observations;
        evidence.frames = self.frames.into_iter().enumerate().map(|(i, f)| f.expand(i)).collect();
        evidence.stderr = self.stderr;
        evidence.effects = self.effects;
        evidence.traces = self.traces;
        evidence.visits = self.visits;
        evidence.source = match (self.source, self.readme) {
            (source, None) => source,
            (source, Some(text)) => {
                let mut source = source.unwrap_or_default();
                let path = "README.md".to_owned();
                source.readme = Some(Document { path, text });
                Some(source)
            }
        };
        Ok(evidence)
    }

    fn conditions(&self) -> Conditions {
        Conditions {
            seed: self.seed,
            profile: self.profile,
            transport: self.target.transport(),
            audit: self.target.audit_kind(),
            policy: self.policy.clone(),
            scope: self.scope.clone(),
            isolation: Isolation { level: IsolationLevel::Namespaces, notes: vec![] },
            client: self.client,
            pinned: None,
            call_timeout_ms: 10_000,
            max_calls: 2_000,
            max_time_ms: 600_000,
            concurrency: 8,
            canaries: self.canaries.clone(),
            workspace: self.workspace.clone(),
            content: self.content.clone(),
            fixtures: Default::default(),
            tokens: self.tokens.clone(),
            baseline: None,
            listens: self.listens.clone(),
            licences: self.licences.clone(),
            usage: Usage::default(),
        }
    }

    fn inventory(&self) -> Result<Inventory, String> {
        let tools: Vec<Value> = self.tools.iter().cloned().map(with_input_schema).collect();
        let (tools, bad_tools) = sorted_out(&tools, Tool::from_raw);
        let (resources, bad_resources) = sorted_out(&self.resources, Resource::from_raw);
        let (templates, bad_templates) = sorted_out(&self.templates, Template::from_raw);
        let (prompts, bad_prompts) = sorted_out(&self.prompts, Prompt::from_raw);
        let listings = [
            ("tools/list", !self.tools.is_empty(), bad_tools),
            ("resources/list", !self.resources.is_empty(), bad_resources),
            ("resources/templates/list", !self.templates.is_empty(), bad_templates),
            ("prompts/list", !self.prompts.is_empty(), bad_prompts),
        ];
        if let Some(method) = self.listings.keys().find(|m| listings.iter().all(|l| l.0 != *m)) {
            return Err(format!("at `listings`: `{method}` is not a listing"));
        }
        let listings = listings.map(|(method, offered, malformed)| {
            let default = if offered { ListState::Complete } else { ListState::NotOffered };
            let state = self.listings.get(method).cloned().unwrap_or(default);
            Listing { method: method.to_owned(), state, pages: vec![], malformed }
        });
        Ok(Inventory { tools, resources, templates, prompts, listings: listings.into() })
    }
}

/// A tool without `inputSchema` takes no parameters; write `"inputSchema": null` for a broken one.
fn with_input_schema(mut tool: Value) -> Value {
    if let Some(map) = tool.as_object_mut().filter(|m| !m.contains_key("inputSchema")) {
        map.insert("inputSchema".to_owned(), json!({"type": "object", "properties": {}}));
    }
    tool
}

fn sorted_out<T>(
    items: &[Value],
    read: fn(&Value) -> Result<T, String>,
) -> (Vec<T>, Vec<Malformed>) {
    let (mut good, mut malformed) = (vec![], vec![]);
    for (index, raw) in (0u32..).zip(items) {
        match read(raw) {
            Ok(item) => good.push(item),
            Err(why) => malformed.push(Malformed { index, why, raw: raw.clone() }),
        }
    }
    (good, malformed)
}

/// The exchange that every healthy run begins with.
fn opening(handshake: &Handshake) -> Exchange {
    let capabilities = &handshake.capabilities;
    let (method, value) = if handshake.revision.is_stateless() {
        let meta = json!({"io.modelcontextprotocol/serverInfo": handshake.server});
        let value = json!({
            "supportedVersions": [handshake.answered], "capabilities": capabilities, "ttlMs": 0,
            "cacheScope": "private", "resultType": "complete", "_meta": meta,
        });
        ("server/discover", value)
    } else {
        let value = json!({
            "protocolVersion": handshake.answered, "capabilities": capabilities,
            "serverInfo": handshake.server,
        });
        ("initialize", value)
    };
    Exchange {
        id: handshake.exchange,
        probe: "session".to_owned(),
        label: "open".to_owned(),
        subject: Subject::Server,
        send: Send::request(method, None),
        on: Connection::Main,
        reply: Reply::Result { value }.into(),
        control: None,
        oracle: None,
        http: None,
        frames: vec![],
        started: Micros(0),
        took: Micros(0),
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ShortHandshake {
    answered: Option<String>,
    supported: Vec<String>,
    name: Option<String>,
    version: Option<String>,
    title: Option<String>,
    capabilities: Option<Value>,
    instructions: Option<String>,
}

impl ShortHandshake {
    fn expand(self, revision: Revision, inventory: &Inventory) -> Handshake {
        let offered: Map<String, Value> = [
            ("tools", inventory.tools.is_empty()),
            ("resources", inventory.resources.is_empty() && inventory.templates.is_empty()),
            ("prompts", inventory.prompts.is_empty()),
        ]
        .into_iter()
        .filter(|(_, empty)| !empty)
        .map(|(name, _)| (name.to_owned(), json!({})))
        .collect();
        Handshake {
            revision,
            answered: self.answered.unwrap_or_else(|| revision.to_string()),
            supported: self.supported,
            server: ServerInfo {
                name: self.name.or_else(|| Some("example".to_owned())),
                version: self.version.or_else(|| Some("1.0.0".to_owned())),
                title: self.title,
            },
            capabilities: self.capabilities.unwrap_or(Value::Object(offered)),
            instructions: self.instructions,
            exchange: ExchangeId(0),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShortDown {
    cause: DownCause,
    says: String,
    #[serde(default)]
    way_out: String,
    exit: Option<Exit>,
    #[serde(default)]
    stderr_tail: Vec<String>,
}

impl ShortDown {
    fn expand(self) -> Startup {
        let ShortDown { cause, says, way_out, exit, stderr_tail } = self;
        Startup::Down { cause, says, way_out, exit, stderr_tail }
    }
}
