//! The inventory: every list followed page by page, bad items noted and passed over.

use std::collections::BTreeSet;
use std::time::Duration;

use proofmark_core::evidence::{
    Evidence, Exchange, ExchangeId, Handshake, ListState, Listing, Malformed, Prompt, Reply,
    Resource, Subject, Template, Tool,
};
use proofmark_core::probe::{Connection, Send};
use serde_json::{Value, json};

use crate::session::{Answered, Session};

/// More pages than any honest server has; a loop is caught earlier by its cursor.
const MAX_PAGES: u32 = 200;

/// Name of the probe in the transcript.
pub const PROBE: &str = "inventory";

/// Lists what the server offers into the evidence.
pub async fn take(session: &Session, evidence: &mut Evidence, timeout: Duration) {
    let offers = |capability: &str| {
        evidence.handshake.as_ref().is_some_and(|h: &Handshake| h.declares(capability))
    };
    // Tools are asked for even when undeclared: a server that forgot to declare them still has
    // them, and that is worth knowing.
    let (resources, prompts) = (offers("resources"), offers("prompts"));
    let tools = walk(session, evidence, "tools/list", "tools", true, timeout).await;
    evidence.inventory.tools = sift(evidence, "tools/list", &tools, Tool::from_raw);
    let found = walk(session, evidence, "resources/list", "resources", resources, timeout).await;
    evidence.inventory.resources = sift(evidence, "resources/list", &found, Resource::from_raw);
    let method = "resources/templates/list";
    let found = walk(session, evidence, method, "resourceTemplates", resources, timeout).await;
    evidence.inventory.templates = sift(evidence, method, &found, Template::from_raw);
    let found = walk(session, evidence, "prompts/list", "prompts", prompts, timeout).await;
    evidence.inventory.prompts = sift(evidence, "prompts/list", &found, Prompt::from_raw);
}

/// Adds an exchange to the transcript.
pub fn record(
    evidence: &mut Evidence,
    probe: &str,
    label: String,
    send: Send,
    answered: Answered,
) -> ExchangeId {
    let id = next_id(evidence);
    evidence.transcript.push(Exchange {
        id,
        probe: probe.to_owned(),
        label,
        subject: Subject::Server,
        send,
        on: Connection::Main,
        reply: answered.reply.into(),
        control: None,
        oracle: None,
        http: answered.http,
        frames: answered.frames,
        started: answered.started,
        took: answered.took,
    });
    id
}

pub fn next_id(evidence: &Evidence) -> ExchangeId {
    ExchangeId(u32::try_from(evidence.transcript.len()).unwrap_or(u32::MAX))
}

async fn walk(
    session: &Session,
    evidence: &mut Evidence,
    method: &str,
    key: &str,
    offered: bool,
    timeout: Duration,
) -> Vec<Value> {
    let mut listing = Listing {
        method: method.to_owned(),
        state: ListState::NotOffered,
        pages: Vec::new(),
        malformed: Vec::new(),
    };
    let mut items = Vec::new();
    if offered {
        let mut cursor: Option<String> = None;
        let mut seen = BTreeSet::new();
        listing.state = loop {
            let params = cursor.as_ref().map(|c| json!({ "cursor": c }));
            let send = Send::request(method, params);
            let answered = session.call(&send, next_id(evidence), timeout).await;
            let reply = answered.reply.clone();
            let label = format!("{method} page {}", listing.pages.len() + 1);
            listing.pages.push(record(evidence, PROBE, label, send, answered));
            match page(&reply, key) {
                Err(why) => break ListState::Failed { why },
                Ok((more, next)) => {
                    items.extend(more);
                    match next {
                        None => break ListState::Complete,
                        Some(next) if !seen.insert(next.clone()) => {
                            break ListState::Loop { cursor: next };
                        }
                        Some(_) if listing.pages.len() as u32 >= MAX_PAGES => {
                            break ListState::Capped { pages: MAX_PAGES };
                        }
                        next => cursor = next,
                    }
                }
            }
        };
    }
    evidence.inventory.listings.push(listing);
    items
}

type Page = (Vec<Value>, Option<String>);

fn page(reply: &Reply, key: &str) -> Result<Page, String> {
    match reply {
        Reply::Result { value } => {
            let items = value
                .get(key)
                .ok_or_else(|| format!("`{key}` is missing from the result"))?
                .as_array()
                .ok_or_else(|| format!("`{key}` is not an array"))?;
            let next = match value.get("nextCursor") {
                None | Some(Value::Null) => None,
                Some(Value::String(cursor)) => Some(cursor.clone()),
                Some(other) => return Err(format!("`nextCursor` is not a string but {other}")),
            };
            Ok((items.clone(), next))
        }
        Reply::Error { code, message, .. } => Err(format!("error {code}: {message}")),
        Reply::Malformed { why, .. } => Err(format!("malformed answer: {why}")),
        Reply::Silence => Err("no answer".to_owned()),
        Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            Err(reply.why_unseen().unwrap_or_default())
        }
    }
}

/// Keeps the well-formed items and notes the others; a repeated page (loop) adds nothing twice.
fn sift<T: PartialEq>(
    evidence: &mut Evidence,
    method: &str,
    items: &[Value],
    read: fn(&Value) -> Result<T, String>,
) -> Vec<T> {
    let mut good: Vec<T> = Vec::new();
    let mut bad = Vec::new();
    let looped = matches!(
        evidence.inventory.listing(method).map(|l| &l.state),
        Some(ListState::Loop { .. } | ListState::Capped { .. })
    );
    for (index, raw) in items.iter().enumerate() {
        match read(raw) {
            Ok(item) if looped && good.contains(&item) => {}
            Ok(item) => good.push(item),
            Err(why) => {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                bad.push(Malformed { index, why, raw: raw.clone() });
            }
        }
    }
    if let Some(listing) = evidence.inventory.listings.iter_mut().find(|l| l.method == method) {
        listing.malformed = bad;
    }
    good
}
