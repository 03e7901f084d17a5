//! Connect: a target becomes a connection, as often as needed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use proofmark_core::evidence::{ClientCapabilities, ExchangeId, Exit, IsolationLevel, Push};
use proofmark_core::probe::Send;
use proofmark_core::revision::Revision;
use proofmark_core::scrub::Scrub;
use proofmark_core::target::Target;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::content::Address;
use crate::ground::Grounds;
use crate::isolate::{LaunchError, LaunchSpec, Process, Scratch, launch};
use crate::packed;
use crate::session::{Opened, Policy, Refusal, Session, Wish, negotiate};
use crate::wire::http::Http;
use crate::wire::sse::Sse;
use crate::wire::stdio::Stdio;
use crate::wire::{Shared, Wire, WireError};

/// All that is needed to connect again.
#[derive(Debug, Clone)]
pub struct Connector {
    pub target: Target,
    /// What a process that is started stands on.
    pub scratch: Arc<Scratch>,
    pub grounds: Arc<Grounds>,
    /// Where our pages are, if the server can reach them.
    pub content: Option<Address>,
    /// Puts back what the evidence must not show.
    pub unmask: Scrub,
    /// The same for tokens; only a request beside the session may name them.
    pub tokens: Scrub,
    /// Values planted in the environment of a server we start.
    pub planted: BTreeMap<String, String>,
    pub isolation: IsolationLevel,
    pub shim: Option<Vec<String>>,
    pub shared: Shared,
    pub policy: Policy,
    pub pinned: Option<Revision>,
    pub startup_timeout: Duration,
    pub opened: Arc<AtomicU32>,
}

/// A session and the process behind it, if we started one.
#[derive(Debug)]
pub struct Line {
    pub session: Session,
    pub process: Option<Process>,
    pub connection: u32,
}

/// Why there is no line.
#[derive(Debug)]
pub enum NoLine {
    Launch(LaunchError),
    Wire(WireError),
    /// The process or address is there, but no session came about.
    Refused {
        refusal: Box<Refusal>,
        process: Option<Box<Process>>,
    },
}

impl Connector {
    /// Whether every connection is a process of its own.
    pub fn starts_processes(&self) -> bool {
        matches!(self.target, Target::Stdio { .. })
    }

    /// So many connectors to the same server, the processes of each on a ground of its own.
    pub fn beside(&self, number: usize) -> Vec<Connector> {
        if !self.starts_processes() {
            return vec![self.clone(); number];
        }
        self.grounds.further(number).into_iter().map(|ground| self.moved(ground)).collect()
    }

    fn moved(&self, scratch: Arc<Scratch>) -> Connector {
        let mut moved = Scrub::default();
        moved.add(self.scratch.root().to_string_lossy(), scratch.root().to_string_lossy());
        let target = moved.target(&self.target);
        let policy = Policy { workspace: scratch.workspace(), ..self.policy.clone() };
        Connector { target, scratch, policy, ..self.clone() }
    }

    /// The call as it goes out: placeholders become the real path and the real address.
    pub fn reveal(&self, send: &Send) -> Send {
        let real = |text: &str| {
            let text = self.scratch.actual(text);
            self.content.map_or(text.clone(), |address| address.actual(&text))
        };
        let real_value = |value: &mut Value| {
            let text = value.to_string();
            let revealed = real(&text);
            if revealed != text
                && let Ok(revealed) = serde_json::from_str(&revealed)
            {
                *value = revealed;
            }
            packed::reveal(value, &real);
            self.unmask.value(value);
        };
        let mut send = send.clone();
        match &mut send {
            Send::Request { params: Some(params), .. }
            | Send::Notification { params: Some(params), .. } => real_value(params),
            Send::Raw { text, .. } => *text = real(text),
            Send::Http { body: Some(body), .. } => *body = real(body),
            Send::Aside { url, headers, body, .. } => {
                *url = self.tokens.text(url);
                headers.iter_mut().for_each(|(_, value)| *value = self.tokens.text(value));
                body.iter_mut().for_each(|body| *body = self.tokens.text(body));
            }
            Send::Request { params: None, .. }
            | Send::Notification { params: None, .. }
            | Send::Http { body: None, .. }
            | Send::Listen { .. } => {}
        }
        send
    }

    /// Starts or reaches the server; nothing is said yet.
    pub async fn reach(&self, client: ClientCapabilities) -> Result<Line, NoLine> {
        let connection = self.opened.fetch_add(1, Ordering::Relaxed);
        let (deliver, inbox) = mpsc::unbounded_channel();
        let shared = self.shared.clone();
        let mut process = None;
        let wire = match &self.target {
            Target::Source { .. } => return Err(NoLine::Wire(WireError::Unsupported)),
            Target::Stdio { command, args, env, cwd } => {
                let spec = LaunchSpec {
                    command,
                    args,
                    env,
                    cwd: cwd.as_deref().map(Path::new),
                    origin: None,
                    scratch: &self.scratch,
                    planted: &self.planted,
                    isolation: self.isolation,
                    shim: self.shim.as_deref(),
                    cache: None,
                    record: Arc::clone(&shared.record),
                };
                let mut started = launch(&spec).map_err(NoLine::Launch)?;
                let (stdin, stdout) = started.take_io().ok_or(NoLine::Wire(WireError::Closed))?;
                process = Some(started);
                Wire::Stdio(Stdio::open(connection, stdin, stdout, shared.clone(), deliver))
            }
            Target::Http { url, headers } => {
                let http = Http::open(connection, url, headers, shared.clone(), deliver);
                Wire::Http(http.map_err(NoLine::Wire)?)
            }
            Target::Sse { url, headers } => {
                let limit = self.startup_timeout;
                let sse = Sse::open(connection, url, headers, shared.clone(), deliver, limit).await;
                Wire::Sse(sse.map_err(NoLine::Wire)?)
            }
        };
        let policy = Arc::new(Policy { client, ..self.policy.clone() });
        let session = Session::new(wire, inbox, shared, policy);
        Ok(Line { session, process, connection })
    }

    /// Reaches the server and opens a session in the newest revision it speaks, or the pinned one.
    pub async fn open(&self, discover: bool) -> Result<(Line, Opening), NoLine> {
        let (pinned, timeout) = (self.pinned, self.startup_timeout);
        let wish = Wish { pinned, discover, timeout, first: ExchangeId(0) };
        self.open_as(&wish, self.policy.client).await
    }

    pub async fn open_as(
        &self,
        wish: &Wish,
        client: ClientCapabilities,
    ) -> Result<(Line, Opening), NoLine> {
        let Line { session, process, connection } = self.reach(client).await?;
        match negotiate(session, wish).await {
            Ok(Opened { session, handshake, said }) => {
                Ok((Line { session, process, connection }, Opening { handshake, said }))
            }
            Err(refusal) => {
                let (refusal, process) = (Box::new(refusal), process.map(Box::new));
                Err(NoLine::Refused { refusal, process })
            }
        }
    }
}

/// What was said at the opening.
#[derive(Debug)]
pub struct Opening {
    pub handshake: proofmark_core::evidence::Handshake,
    pub said: Vec<crate::session::Said>,
}

impl Line {
    /// Ends the session and the whole process tree; says how hard that was.
    pub async fn end(mut self) -> (Option<Exit>, Option<Push>) {
        self.session.close().await;
        match self.process.take() {
            Some(mut process) => {
                let (exit, push) = process.end().await;
                (exit, Some(push))
            }
            None => (None, None),
        }
    }
}
