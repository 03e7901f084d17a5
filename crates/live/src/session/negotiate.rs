//! Opening a session: the stateless revision is asked for first, the handshake is the fallback,
//! and `--protocol` pins either.

use std::time::Duration;

use proofmark_core::evidence::{ExchangeId, Handshake, Reply, ServerInfo};
use proofmark_core::probe::Send;
use proofmark_core::revision::Revision;
use serde_json::{Value, json};

use super::{Answered, Session, stateless};
use crate::wire::{Wire, WireError};

/// How long a server may think about `server/discover` before we also offer the handshake. It may
/// still be starting, so neither question is withdrawn.
const PATIENCE: Duration = Duration::from_secs(4);

/// What the caller would like.
#[derive(Debug, Clone)]
pub struct Wish {
    pub pinned: Option<Revision>,
    /// Ask for the stateless revision first; off after a server has died of the question.
    pub discover: bool,
    pub timeout: Duration,
    /// The place in the transcript of the first question.
    pub first: ExchangeId,
}

impl Wish {
    fn second(&self) -> ExchangeId {
        ExchangeId(self.first.0 + 1)
    }
}

/// One question of the opening and its answer.
#[derive(Debug, Clone)]
pub struct Said {
    pub label: &'static str,
    pub send: Send,
    pub answered: Answered,
}

#[derive(Debug)]
pub struct Opened {
    pub session: Session,
    pub handshake: Handshake,
    pub said: Vec<Said>,
}

/// No session came about.
#[derive(Debug)]
pub struct Refusal {
    pub said: Vec<Said>,
    /// Our side could not send at all.
    pub error: Option<WireError>,
    /// The connection ended right after `server/discover`: worth another try without it.
    pub died_of_discover: bool,
}

/// Opens the session, or says what was tried. The exchange ids it hands out count from
/// `wish.first` in the order of `said`.
pub async fn negotiate(mut session: Session, wish: &Wish) -> Result<Opened, Refusal> {
    let mut said = Vec::new();
    let stateless = match (wish.pinned, session.wire()) {
        (Some(revision), _) => revision.is_stateless(),
        (None, Wire::Sse(_)) => false,
        (None, Wire::Stdio(_) | Wire::Http(_)) => wish.discover,
    };
    if !stateless {
        let version = wish.pinned.unwrap_or(Revision::NEWEST_HANDSHAKE);
        let answer = initialize(&session, version, wish.first, wish.timeout).await;
        return finish(session, said, answer, version, wish.first).await;
    }
    let question = discover_send(&session);
    let (discovered, early) = ask_both(&session, &question, wish).await;
    let died = matches!(discovered.reply, Reply::Disconnected);
    let adopted = read_discovery(&discovered.reply);
    said.push(Said { label: "discover", send: question, answered: discovered });
    match adopted {
        Some((revision, mut handshake)) => {
            handshake.exchange = wish.first;
            session.revision = Some(revision);
            Ok(Opened { session, handshake, said })
        }
        None if wish.pinned.is_some() => Err(refusal(&session, said, false)),
        None if died => Err(refusal(&session, said, true)),
        None => {
            let version = Revision::NEWEST_HANDSHAKE;
            let answer = match early {
                Some(answer) => answer,
                None => initialize(&session, version, wish.second(), wish.timeout).await,
            };
            finish(session, said, answer, version, wish.first).await
        }
    }
}

fn refusal(session: &Session, said: Vec<Said>, died_of_discover: bool) -> Refusal {
    Refusal { said, error: session.take_error(), died_of_discover }
}

/// Asks for discovery, and when that takes long, for the handshake besides.
async fn ask_both(session: &Session, question: &Send, wish: &Wish) -> (Answered, Option<Answered>) {
    let discovery = session.call(question, wish.first, wish.timeout);
    tokio::pin!(discovery);
    if wish.pinned.is_some() {
        return (discovery.await, None);
    }
    if let Ok(answer) = tokio::time::timeout(PATIENCE, &mut discovery).await {
        return (answer, None);
    }
    let handshake = initialize(session, Revision::NEWEST_HANDSHAKE, wish.second(), wish.timeout);
    tokio::pin!(handshake);
    tokio::select! {
        biased;
        answer = &mut discovery => match answer.reply {
            Reply::Result { .. } => (answer, None),
            Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. } => (answer, Some(handshake.await)),
        },
        shaken = &mut handshake => {
            // The answer to the first question is no longer needed; it would come late.
            let waited = u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX);
            let given_up = Answered { reply: Reply::TimedOut { after_ms: waited }, ..shaken.clone() };
            (given_up, Some(shaken))
        }
    }
}

fn discover_send(session: &Session) -> Send {
    let meta = stateless::meta(&session.policy, Revision::V2026_07_28);
    Send::request("server/discover", Some(json!({ "_meta": meta })))
}

async fn initialize(
    session: &Session,
    version: Revision,
    exchange: ExchangeId,
    timeout: Duration,
) -> Answered {
    session.call(&initialize_send(session, version), exchange, timeout).await
}

fn initialize_send(session: &Session, version: Revision) -> Send {
    let params = json!({
        "protocolVersion": version.as_str(),
        "capabilities": session.policy.declared(),
        "clientInfo": stateless::client_info(&session.policy),
    });
    Send::request("initialize", Some(params))
}

async fn finish(
    mut session: Session,
    mut said: Vec<Said>,
    answered: Answered,
    asked: Revision,
    first: ExchangeId,
) -> Result<Opened, Refusal> {
    let result = answered.reply.result().cloned();
    let exchange = ExchangeId(first.0 + u32::try_from(said.len()).unwrap_or(0));
    said.push(Said { label: "initialize", send: initialize_send(&session, asked), answered });
    let Some(result) = result else { return Err(refusal(&session, said, false)) };
    let answered = text(&result, "protocolVersion").unwrap_or_default();
    let revision = answered.parse().unwrap_or(asked);
    session.revision = Some(revision);
    session.settle(revision).await;
    let handshake = Handshake {
        revision,
        answered,
        supported: Vec::new(),
        server: server_info(result.get("serverInfo")),
        capabilities: result.get("capabilities").cloned().unwrap_or(Value::Null),
        instructions: text(&result, "instructions"),
        exchange,
    };
    Ok(Opened { session, handshake, said })
}

impl Session {
    /// What follows a handshake: the notification, and on HTTP the version header and the stream
    /// on which the server may speak first.
    async fn settle(&self, revision: Revision) {
        if let Some(http) = self.wire().http().filter(|_| revision >= Revision::V2025_06_18) {
            // A date is always a legal header value.
            let _ = http.set_header("MCP-Protocol-Version", revision.as_str());
        }
        let text = self.notification("notifications/initialized", None).to_string();
        // A server that is gone already shows itself with the next call.
        let _ = self.send(self.outgoing(text, None, None)).await;
        let wire = std::sync::Arc::clone(&self.wire);
        if wire.http().is_some() {
            // Some servers send no header before the first event, so nobody waits for it here.
            tokio::spawn(async move {
                if let Some(http) = wire.http() {
                    let _ = tokio::time::timeout(PATIENCE, http.open_stream()).await;
                }
            });
        }
    }
}

fn read_discovery(reply: &Reply) -> Option<(Revision, Handshake)> {
    let result = reply.result()?;
    let listed = result.get("supportedVersions").and_then(Value::as_array);
    let supported: Vec<String> = listed
        .map(|v| v.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let named = supported.iter().filter_map(|v| v.parse::<Revision>().ok());
    // A server that forgets the list has still taken the question in the version it was asked in.
    let taken = result.get("resultType").map(|_| Revision::V2026_07_28);
    let revision =
        named.filter(|r| r.is_stateless()).max().or(taken.filter(|_| listed.is_none()))?;
    let meta = result.get("_meta").and_then(|m| m.get("io.modelcontextprotocol/serverInfo"));
    let handshake = Handshake {
        revision,
        answered: revision.as_str().to_owned(),
        supported,
        server: server_info(meta.or_else(|| result.get("serverInfo"))),
        capabilities: result.get("capabilities").cloned().unwrap_or(Value::Null),
        instructions: text(result, "instructions"),
        exchange: ExchangeId(0),
    };
    Some((revision, handshake))
}

fn server_info(value: Option<&Value>) -> ServerInfo {
    match value {
        Some(info) => ServerInfo {
            name: text(info, "name"),
            version: text(info, "version"),
            title: text(info, "title"),
        },
        None => ServerInfo::default(),
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}
