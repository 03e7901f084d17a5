//! A raw client: bytes out, bytes in, nothing forgiven, nothing waited for without end.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) const HANDSHAKES: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
pub(crate) const STATELESS: &str = "2026-07-28";

/// Long enough for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// Long enough to believe that nothing will come.
pub(crate) const SILENCE: Duration = Duration::from_millis(300);

/// A server process and its pipes. Dropping it ends the process.
pub(crate) struct Server {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Receiver<Vec<u8>>,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Server {
        Server::spawn(Command::new(env!("CARGO_BIN_EXE_testbed")).args(arguments))
    }

    pub(crate) fn spawn(command: &mut Command) -> Server {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("testbed starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut errors = child.stderr.take().expect("piped");
        let (line, lines) = channel();
        thread::spawn(move || {
            for text in stdout.lines().map_while(Result::ok) {
                let _ = line.send(text);
            }
        });
        let (done, stderr) = channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors.read_to_end(&mut bytes);
            let _ = done.send(bytes);
        });
        let stdin = child.stdin.take();
        Server { child, stdin, lines, stderr }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_raw(&message.to_string());
    }

    /// A server that is gone cannot be written to; the test sees that by what it reads.
    pub(crate) fn send_raw(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
        }
    }

    pub(crate) fn next_line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the server says something")
    }

    /// A line, if one comes in time.
    pub(crate) fn line_within(&mut self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    pub(crate) fn next(&mut self) -> Value {
        let line = self.next_line();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    pub(crate) fn says_nothing(&mut self) -> bool {
        matches!(self.lines.recv_timeout(SILENCE), Err(RecvTimeoutError::Timeout))
    }

    /// Whether stdout ends, however long the server runs on.
    pub(crate) fn stdout_ends(&mut self) -> bool {
        matches!(self.lines.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected))
    }

    pub(crate) fn ask(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let id = id.into();
        self.send(&request(&id, method, params));
        let answer = self.next();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    pub(crate) fn shake_hands(&mut self, revision: &str, capabilities: Value) -> Value {
        let answer = self.ask("hello", "initialize", hello(revision, capabilities));
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        answer
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn exit_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let since = Instant::now();
        while since.elapsed() < time {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
        None
    }

    /// What was written to stderr, once the process has ended.
    pub(crate) fn stderr(&mut self) -> String {
        let bytes = self.stderr.recv_timeout(PATIENCE).expect("stderr ends");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server that has shaken hands in the newest handshake revision.
pub(crate) fn ready(mode: &str) -> Server {
    let mut server = Server::start(&[mode]);
    let answer = server.shake_hands("2025-11-25", json!({}));
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{mode}: {answer}");
    server
}

pub(crate) fn request(id: &Value, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub(crate) fn hello(revision: &str, capabilities: Value) -> Value {
    json!({
        "protocolVersion": revision,
        "capabilities": capabilities,
        "clientInfo": { "name": "test", "version": "1" },
    })
}

/// Parameters with the terms of a stateless request.
pub(crate) fn stateless(mut params: Value, capabilities: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    params
}

pub(crate) fn call(tool: &str, arguments: Value) -> Value {
    json!({ "name": tool, "arguments": arguments })
}

pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

pub(crate) fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_default()
}
