//! One HTTP/1.1 exchange at a time, by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::client::{PATIENCE, STATELESS, Server};

/// A server process that listens.
pub(crate) struct Listening {
    process: Server,
    pub(crate) address: String,
    pub(crate) path: String,
}

/// The head of a response and the rest as it comes.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    reader: BufReader<TcpStream>,
}

impl Listening {
    pub(crate) fn start(arguments: &[&str]) -> Listening {
        let mut process = Server::start(arguments);
        let line = process.next_line();
        let url = line.strip_prefix("listening http://").expect("the first line names the URL");
        let (address, path) = url.split_once('/').expect("the URL has a path");
        Listening { address: address.to_owned(), path: format!("/{path}"), process }
    }

    /// What else it says at the start.
    pub(crate) fn next_line(&mut self) -> String {
        self.process.next_line()
    }

    /// Ends the server; what it has written to stderr.
    pub(crate) fn end(mut self) -> String {
        let _ = self.process.child.kill();
        self.process.stderr()
    }

    pub(crate) fn send(
        &self,
        verb: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        let mut head = format!("{verb} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        stream.write_all(head.as_bytes()).expect("the request is taken");
        Response::read(BufReader::new(stream))
    }

    pub(crate) fn get(&self, headers: &[(&str, &str)]) -> Response {
        let headers = [&[("Accept", "text/event-stream")], headers].concat();
        self.send("GET", &self.path, &headers, "")
    }

    pub(crate) fn post(&self, headers: &[(&str, &str)], body: &Value) -> Response {
        let standard = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let headers = [&standard, headers].concat();
        self.send("POST", &self.path, &headers, &body.to_string())
    }

    /// A stateless POST with the headers that repeat its body.
    pub(crate) fn post_stateless(&self, extra: &[(&str, &str)], body: &Value) -> Response {
        let name = body["params"]["name"].as_str().or(body["params"]["uri"].as_str());
        let method = body["method"].as_str().unwrap_or_default();
        let mut headers = vec![("MCP-Protocol-Version", STATELESS), ("Mcp-Method", method)];
        headers.extend(name.map(|name| ("Mcp-Name", name)));
        headers.retain(|(name, _)| !extra.iter().any(|(other, _)| other == name));
        headers.extend(extra.iter().filter(|(_, value)| !value.is_empty()));
        self.post(&headers, body)
    }
}

impl Response {
    fn read(mut reader: BufReader<TcpStream>) -> Response {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a status line");
        let status = line.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status");
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a header");
            match line.trim_end().split_once(':') {
                Some((name, value)) => {
                    headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
                }
                None => return Response { status, headers, reader },
            }
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The value of the next line of an event stream that starts with this field.
    pub(crate) fn next_field(&mut self, field: &str) -> Option<String> {
        let mut line = String::new();
        while self.reader.read_line(&mut line).expect("the stream goes on") > 0 {
            if let Some(value) = line.strip_prefix(field).and_then(|l| l.strip_prefix(':')) {
                return Some(value.trim().to_owned());
            }
            line.clear();
        }
        None
    }

    /// The next message of an event stream.
    pub(crate) fn next_message(&mut self) -> Option<Value> {
        loop {
            let data = self.next_field("data")?;
            if !data.is_empty() {
                return Some(serde_json::from_str(&data).expect("data is JSON"));
            }
        }
    }

    pub(crate) fn body(mut self) -> String {
        let mut body = String::new();
        self.reader.read_to_string(&mut body).expect("the body ends");
        body
    }

    /// The one message of this response, in either form.
    pub(crate) fn message(mut self) -> Value {
        if self.header("content-type") == Some("text/event-stream") {
            let message = self.next_message().expect("a message");
            assert_eq!(self.next_message(), None, "the stream ends after the answer");
            return message;
        }
        let body = self.body();
        serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}"))
    }
}
