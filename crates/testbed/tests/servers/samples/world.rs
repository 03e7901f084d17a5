//! Where a sample runs: a scratch folder with something to find outside of it, and a page on
//! loopback that writes down who came.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use proofmark_testbed::{Sample, Samples};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{self, Server};

/// What must not come back: a file outside, a key in the home, a variable, our page.
pub(super) const SECRETS: [&str; 4] =
    ["quiet-harbour", "key-of-the-harbour", "env-of-the-harbour", "page-of-the-harbour"];

/// What is listed besides tools: the method, the list, and what names an item.
const OFFERS: [(&str, &str, &str); 3] = [
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ("prompts/list", "prompts", "name"),
];

pub(super) struct World {
    dir: TempDir,
    port: u16,
    visits: Arc<Mutex<Vec<String>>>,
}

impl World {
    pub(super) fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("workspace/notes.md", "# Notes\n\nNothing yet.\n");
        write("workspace/spare.txt", "spare\n");
        write("workspace/docs/guide.md", "# Guide\n");
        write("outside/canary-outside.txt", SECRETS[0]);
        write("workspace-old/sheet.txt", SECRETS[0]);
        write("home/.ssh/id_canary", SECRETS[1]);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let visits = Arc::<Mutex<Vec<String>>>::default();
        let (book, file) = (visits.clone(), dir.path().join("outside/canary-outside.txt"));
        thread::spawn(move || {
            for guest in listener.incoming().map_while(Result::ok) {
                answer(guest, &book, &file);
            }
        });
        World { dir, port, visits }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(below)
    }

    pub(super) fn visits(&self) -> Vec<String> {
        self.visits.lock().unwrap().clone()
    }

    pub(super) fn start(&self, sample: &Sample, client: &str) -> Session {
        let fill = |word: &String| {
            let dir = Samples::dir().display().to_string();
            word.replace("{dir}", &dir)
                .replace("{workspace}", &self.path("workspace").display().to_string())
        };
        let mut words: Vec<String> = sample.command.iter().map(fill).collect();
        if words[0] == "python3" {
            // A version manager's stand-in takes longer to start than the interpreter itself.
            words[0] = evaluated("sys.executable");
        }
        let mut server = Server::spawn(
            Command::new(&words[0])
                .args(&words[1..])
                .current_dir(self.path("workspace"))
                .env("HOME", self.path("home"))
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .env("CANARY_API_TOKEN", SECRETS[2]),
        );
        let mut hello = client::hello("2025-06-18", json!({}));
        hello["clientInfo"]["name"] = client.into();
        let welcome = server.ask("hello", "initialize", hello);
        assert_eq!(welcome["result"]["protocolVersion"], "2025-06-18", "{welcome}");
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        Session { server, welcome }
    }

    /// Fills placeholders in, everywhere in the value.
    pub(super) fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.fill_text(text).into(),
            Value::Array(items) => items.iter().map(|v| self.fill(v)).collect(),
            Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), self.fill(v))).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    pub(super) fn fill_text(&self, text: &str) -> String {
        if let Some(expression) = text.strip_prefix("python:") {
            return evaluated(expression);
        }
        text.replace("{outside}", &self.path("outside").display().to_string())
            .replace("{workspace}", &self.path("workspace").display().to_string())
            .replace("{site}", &format!("http://127.0.0.1:{}", self.port))
            .replace("{port}", &self.port.to_string())
    }

    /// Every file of the workspace and what is in it.
    pub(super) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path("workspace")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    files.insert(entry.path(), fs::read(entry.path()).unwrap_or_default());
                }
            }
        }
        files
    }
}

fn answer(mut guest: TcpStream, visits: &Mutex<Vec<String>>, file: &Path) {
    let _ = guest.set_read_timeout(Some(Duration::from_secs(5)));
    let mut bytes = [0; 4096];
    let Ok(count) = guest.read(&mut bytes) else { return };
    let head = String::from_utf8_lossy(&bytes[..count]).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    visits.lock().unwrap().push(path.clone());
    let reply = if path == "/to-file" {
        format!("HTTP/1.1 302 Found\r\nLocation: file://{}\r\n", file.display())
    } else {
        "HTTP/1.1 200 OK\r\n".to_owned()
    };
    let body = SECRETS[3];
    let _ =
        write!(guest, "{reply}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
}

/// Each expression once: starting an interpreter takes longer than most calls.
fn evaluated(expression: &str) -> String {
    static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    if let Some(value) = known.get(expression) {
        return value.clone();
    }
    let program = format!("import sys; sys.stdout.write({expression})");
    let done = Command::new("python3").args(["-c", &program]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let value = String::from_utf8(done.stdout).unwrap();
    known.insert(expression.to_owned(), value.clone());
    value
}

/// A sample that has shaken hands.
pub(super) struct Session {
    server: Server,
    pub(super) welcome: Value,
}

/// What a call came to.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) text: String,
    pub(super) failed: bool,
    pub(super) took: Duration,
}

impl Outcome {
    fn of(text: &Value) -> Outcome {
        let text = text.as_str();
        Outcome {
            text: text.unwrap_or_default().to_owned(),
            failed: text.is_none(),
            took: Duration::ZERO,
        }
    }
}

impl Session {
    /// Definitions by the name of the tool, as they stand on the wire.
    pub(super) fn definitions(&mut self) -> BTreeMap<String, String> {
        let answer = self.server.ask("list", "tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap();
        tools.iter().map(|t| (t["name"].as_str().unwrap().to_owned(), text_of(t))).collect()
    }

    /// Definitions of resources and templates by URI, and of prompts by name.
    pub(super) fn offers(&mut self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for (method, list, key) in OFFERS {
            let answer = self.server.ask("list", method, json!({}));
            let items = answer["result"][list].as_array().cloned().unwrap_or_default();
            found.extend(items.iter().map(|i| (i[key].as_str().unwrap().to_owned(), text_of(i))));
        }
        found
    }

    pub(super) fn read(&mut self, uri: &str) -> Outcome {
        let answer = self.server.ask("read", "resources/read", json!({ "uri": uri }));
        Outcome::of(&answer["result"]["contents"][0]["text"])
    }

    pub(super) fn prompt(&mut self, name: &str, arguments: &Value) -> Outcome {
        let answer = self.server.ask("get", "prompts/get", client::call(name, arguments.clone()));
        Outcome::of(&answer["result"]["messages"][0]["content"]["text"])
    }

    /// What it wrote to its log, once it has ended.
    pub(super) fn log(&mut self) -> String {
        self.server.close_stdin();
        self.server.stderr()
    }

    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Outcome {
        let since = Instant::now();
        let params = client::call(tool, arguments.clone());
        self.server.send(&client::request(&json!("call"), "tools/call", params));
        let answer = loop {
            let message = self.server.next();
            if message["id"] == "call" {
                break message;
            }
        };
        let text = client::text(&answer).to_owned();
        assert!(answer["result"].is_object(), "{tool}: {answer}");
        Outcome { text, failed: answer["result"]["isError"] == true, took: since.elapsed() }
    }
}

/// JSON, but with every character as itself.
fn text_of(value: &Value) -> String {
    let mut texts = vec![value.to_string()];
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => rest.extend(map.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    texts.join("\n")
}
