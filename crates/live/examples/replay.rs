//! The bare client of `bench/overhead`: sends the frames of a recorded run again, on as many
//! connections, each as soon as as many answers have come back as had in the recording, and measures
//! how long that takes.
//!
//! usage: replay EVIDENCE -- COMMAND ARGS…

use std::collections::VecDeque;
use std::collections::btree_map::{BTreeMap, Entry};
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use proofmark_core::evidence::{Direction, Evidence};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

/// A line, and the connection it came by.
type Said = (u32, String);
type Failure = Box<dyn std::error::Error>;

/// Longer than the slowest tool of the servers that are measured.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [evidence, dashes, command, args @ ..] = words.as_slice() else {
        return Err("usage: replay EVIDENCE -- COMMAND ARGS…".into());
    };
    if dashes != "--" {
        return Err("usage: replay EVIDENCE -- COMMAND ARGS…".into());
    }
    let evidence = proofmark_live::store::read_evidence(evidence.as_ref())?;
    let script = script(&evidence);
    let frames = script.lines.len();
    let (whole, session) = play(script, command, args).await?;
    let (recorded_whole, recorded_session) = recorded(&evidence);
    writeln!(
        std::io::stdout(),
        "{}",
        serde_json::json!({
            "frames": frames,
            "gather_ms": recorded_whole, "replay_ms": whole,
            "gather_session_ms": recorded_session, "replay_session_ms": session,
        })
    )?;
    Ok(())
}

/// One frame of our own, its connection, and after how many answers it goes out.
struct Line {
    connection: u32,
    text: String,
    after: usize,
}

/// What the recorded client said, on all connections.
#[derive(Default)]
struct Script {
    lines: Vec<Line>,
    /// Our answers to the server's own requests, by method, in order.
    replies: BTreeMap<String, VecDeque<Value>>,
    /// Answers the server gave in all.
    answers: usize,
}

/// Only answers count: how many notifications a server sends between them is up to its timers.
fn script(evidence: &Evidence) -> Script {
    let mut script = Script::default();
    let mut asked: BTreeMap<(u32, String), String> = BTreeMap::new();
    for frame in &evidence.frames {
        let connection = frame.connection;
        let head: Head = serde_json::from_str(&frame.text).unwrap_or_default();
        match (frame.direction, head.method, head.id) {
            (Direction::Received, Some(method), Some(id)) => {
                asked.insert((connection, id.to_string()), method);
            }
            (Direction::Received, None, Some(_)) => script.answers += 1,
            (Direction::Received, _, None) => {}
            (Direction::Sent, None, Some(id)) => {
                let method = asked.remove(&(connection, id.to_string())).unwrap_or_default();
                let reply = serde_json::from_str(&frame.text).unwrap_or_default();
                script.replies.entry(method).or_default().push_back(reply);
            }
            (Direction::Sent, _, _) => {
                let after = script.answers;
                script.lines.push(Line { connection, text: frame.text.clone(), after });
            }
        }
    }
    script
}

/// Milliseconds of the recorded run: from the start of the server, and from its first answer,
/// both to the last answer; what a server tells by itself after that is not waited for.
fn recorded(evidence: &Evidence) -> (f64, f64) {
    let is_answer = |text: &str| {
        let head: Head = serde_json::from_str(text).unwrap_or_default();
        head.method.is_none() && head.id.is_some()
    };
    let sent = evidence.frames.iter().filter(|f| f.direction == Direction::Sent);
    let answers = || {
        let received = evidence.frames.iter().filter(|f| f.direction == Direction::Received);
        received.filter(|f| is_answer(&f.text)).map(|f| f.at.0)
    };
    let first_sent = sent.map(|f| f.at.0).min().unwrap_or(0);
    let first = answers().min().unwrap_or(0);
    let last = answers().max().unwrap_or(0);
    (millis(last - first_sent), millis(last - first))
}

/// The start of a message: all that a bare client looks at.
#[derive(Default, Deserialize)]
struct Head {
    id: Option<Value>,
    method: Option<String>,
}

/// One process, as far as we speak to it.
struct Peer {
    stdin: ChildStdin,
    _child: Child,
}

struct Player<'a> {
    command: &'a str,
    args: &'a [String],
    peers: BTreeMap<u32, Peer>,
    /// What any of them says.
    heard: (UnboundedSender<Said>, UnboundedReceiver<Said>),
    replies: BTreeMap<String, VecDeque<Value>>,
    answers: usize,
    first: Option<Instant>,
    last: Instant,
}

impl Player<'_> {
    /// Starts the process of a connection before the first word on it.
    async fn send(&mut self, connection: u32, text: &str) -> Result<(), Failure> {
        let peer = match self.peers.entry(connection) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let peer = start(self.command, self.args, connection, self.heard.0.clone())?;
                new.insert(peer)
            }
        };
        peer.stdin.write_all(format!("{text}\n").as_bytes()).await?;
        Ok(())
    }

    /// Reads until so many answers have come, answering what the server asks meanwhile.
    async fn hear(&mut self, answers: usize) -> Result<(), Failure> {
        while self.answers < answers {
            let heard = timeout(PATIENCE, self.heard.1.recv()).await.map_err(|_| {
                let (seen, patience) = (self.answers, PATIENCE.as_secs());
                format!("no frame in {patience} s after {seen} of {answers} answers; the server answers otherwise than it was recorded: record it again")
            })?;
            let Some((connection, line)) = heard else { return Err("all readers ended".into()) };
            self.last = Instant::now();
            self.first.get_or_insert(self.last);
            let head: Head = serde_json::from_str(&line).unwrap_or_default();
            match (head.method, head.id) {
                (None, Some(_)) => self.answers += 1,
                (Some(method), Some(id)) => self.reply(connection, &method, id).await?,
                (_, None) => {}
            }
        }
        Ok(())
    }

    /// The recorded answer under the id of today; the last one serves for any further question.
    async fn reply(&mut self, connection: u32, method: &str, id: Value) -> Result<(), Failure> {
        let Some(known) = self.replies.get_mut(method) else {
            return Err(
                format!("the server asks `{method}`, which it did not when recorded").into()
            );
        };
        let next = if known.len() > 1 { known.pop_front() } else { known.front().cloned() };
        let mut reply = next.unwrap_or_default();
        reply["id"] = id;
        self.send(connection, &reply.to_string()).await
    }
}

fn start(
    command: &str,
    args: &[String],
    connection: u32,
    heard: UnboundedSender<Said>,
) -> Result<Peer, Failure> {
    let mut child = Command::new(command)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let stdin = child.stdin.take().ok_or("no stdin")?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("no stdout")?).lines();
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            if heard.send((connection, line)).is_err() {
                return;
            }
        }
    });
    Ok(Peer { stdin, _child: child })
}

async fn play(script: Script, command: &str, args: &[String]) -> Result<(f64, f64), Failure> {
    let begun = Instant::now();
    let mut player = Player {
        command,
        args,
        peers: BTreeMap::new(),
        heard: unbounded_channel(),
        replies: script.replies,
        answers: 0,
        first: None,
        last: begun,
    };
    for Line { connection, text, after } in &script.lines {
        player.hear(*after).await?;
        player.send(*connection, text).await?;
    }
    player.hear(script.answers).await?;
    let micros =
        |from: Instant| u64::try_from((player.last - from).as_micros()).unwrap_or(u64::MAX);
    Ok((millis(micros(begun)), millis(micros(player.first.unwrap_or(begun)))))
}

fn millis(micros: u64) -> f64 {
    micros as f64 / 1000.0
}
