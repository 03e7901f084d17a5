//! What a server's tools can do together: private data, untrusted content, and a way out.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::attack::path::NEIGHBOUR;
use crate::evidence::{CanaryPlace, Evidence, Exchange, ExchangeId, Tool};
use crate::probe::words;
use crate::promise::holds;
use crate::proof::came_back;
use crate::response::is_accepted;

/// A leg of the three that make a data theft possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Leg {
    /// Reads what belongs to the user.
    PrivateData,
    /// Brings in text that a stranger may have written.
    UntrustedContent,
    /// Can carry text out of reach.
    WayOut,
}

impl Leg {
    pub const ALL: [Leg; 3] = [Leg::PrivateData, Leg::UntrustedContent, Leg::WayOut];

    pub fn as_str(self) -> &'static str {
        match self {
            Leg::PrivateData => "private data",
            Leg::UntrustedContent => "untrusted content",
            Leg::WayOut => "a way out",
        }
    }
}

/// A tool on a leg, and how we know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Capable {
    pub tool: String,
    /// The call that showed it; without one, name and description say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_in: Option<ExchangeId>,
}

/// The risk graph: which tools stand on which leg.
pub fn capabilities(evidence: &Evidence) -> BTreeMap<Leg, Vec<Capable>> {
    let mut legs: BTreeMap<Leg, Vec<Capable>> = BTreeMap::new();
    for leg in Leg::ALL {
        for tool in evidence.tools() {
            let seen_in = shown(evidence, tool, leg);
            if seen_in.is_some() || is_told(tool, leg) {
                let capable = Capable { tool: tool.name.clone(), seen_in };
                legs.entry(leg).or_default().push(capable);
            }
        }
    }
    legs
}

/// The first call in which a tool showed this.
fn shown(evidence: &Evidence, tool: &Tool, leg: Leg) -> Option<ExchangeId> {
    let calls = evidence.transcript.iter().filter(|x| x.subject.tool() == Some(&tool.name));
    let by = |x: &&Exchange| match leg {
        Leg::PrivateData => returns_planted(evidence, x) || reads_workspace(evidence, tool, x),
        Leg::UntrustedContent => fetches(evidence, x) && !x.reply.text().is_empty(),
        Leg::WayOut => fetches(evidence, x),
    };
    // Few calls show anything; only those are looked at for whether they worked.
    calls.filter(by).find(|x| is_accepted(evidence, x)).map(|x| x.id)
}

fn returns_planted(evidence: &Evidence, x: &Exchange) -> bool {
    evidence.conditions.canaries.iter().any(|c| match c.place {
        // What lies beside the server's own folders is nobody's.
        CanaryPlace::Inside { .. } if c.id.starts_with(NEIGHBOUR) => false,
        CanaryPlace::Inside { .. } | CanaryPlace::Outside { .. } | CanaryPlace::Env { .. } => {
            came_back(evidence, x, &c.value)
        }
    })
}

/// The content of a file that the caller names.
fn reads_workspace(evidence: &Evidence, tool: &Tool, x: &Exchange) -> bool {
    let ours = evidence.conditions.workspace.as_str();
    let path =
        |v: &Value| v.as_str().is_some_and(|s| s.starts_with(ours) && s.len() > ours.len() + 1);
    let named = x.arguments().and_then(Value::as_object).is_some_and(|a| a.values().any(path));
    let reads = holds(&words(&tool.name), "cat get load open parse read show view");
    named && reads && x.reply.text().len() > 20
}

/// Our page was visited with exactly what the caller named.
fn fetches(evidence: &Evidence, x: &Exchange) -> bool {
    let Some(base) = evidence.conditions.content.as_deref() else { return false };
    let visits = || evidence.visits.iter().filter(|v| v.path.len() > 1);
    // Few servers visit anything, and writing out what was asked takes its time.
    if visits().next().is_none() {
        return false;
    }
    let asked = x.arguments().map(ToString::to_string).unwrap_or_default();
    let reached = |path: &str| asked.contains(&format!("{base}{path}"));
    asked.contains(base) && visits().any(|v| reached(&v.path))
}

/// Name first; of the description only its first sentence, which says what the tool does.
fn is_told(tool: &Tool, leg: Leg) -> bool {
    let name = words(&tool.name);
    let about = tool.description.as_deref().unwrap_or_default();
    let first = words(about.split(['.', '\n']).next().unwrap_or_default());
    let takes = |list: &str| tool.parameters().any(|(p, _)| holds(&words(p), list));
    match leg {
        Leg::PrivateData => {
            holds(&name, "get list read search query fetch find show load export")
                && holds(&name, PRIVATE)
        }
        Leg::UntrustedContent => {
            holds(&name, "browse crawl fetch navigate scrape extract download read get search list")
                && (holds(&name, FOREIGN)
                    || takes("url urls uri link")
                    || holds(&first, "webpage website web internet"))
        }
        Leg::WayOut => {
            holds(
                &name,
                "send post publish upload tweet webhook email forward share notify request",
            ) && (takes("to url recipient channel message body webhook data content text")
                || holds(&name, "email mail message webhook http"))
                || holds(&name, "fetch navigate browse curl") && takes("url urls uri")
        }
    }
}

const PRIVATE: &str = "
    calendar chat contact contacts conversation credential credentials customer customers database
    directory document documents drive email emails env file files history inbox mail mails memory
    message messages note notes password passwords record records repository secret secrets table user
    users vault";
const FOREIGN: &str = "
    article comment comments email emails feed html inbox issue issues mail mails news page pages pull
    review reviews rss site tweet tweets url web webpage website";
