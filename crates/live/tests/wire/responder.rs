//! A loopback HTTP server whose answers are scripted byte by byte.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// What a script does with a connection, one after the other; then it is closed.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Write(Vec<u8>),
    Pause(u64),
    /// RST instead of FIN.
    Reset,
    /// Never close.
    Hold,
}

pub(crate) fn write(text: impl Into<Vec<u8>>) -> Step {
    Step::Write(text.into())
}

/// A whole answer with its length.
pub(crate) fn answer(status: &str, headers: &[&str], body: &str) -> Vec<Step> {
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    vec![write(head)]
}

pub(crate) fn json(body: &str) -> Vec<Step> {
    answer("200 OK", &["Content-Type: application/json"], body)
}

/// The head of a stream that ends with its connection.
pub(crate) fn stream_head() -> Step {
    write(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n",
    )
}

#[derive(Debug)]
pub(crate) struct Responder {
    port: u16,
    seen: Arc<Mutex<Vec<Request>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Responder {
    /// Answers every request by the script, which is told the request.
    pub(crate) async fn start(
        script: impl Fn(&Request) -> Vec<Step> + Send + Sync + 'static,
    ) -> Responder {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::<Mutex<Vec<Request>>>::default();
        let (script, log) = (Arc::new(script), Arc::clone(&seen));
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serve(socket, Arc::clone(&script), Arc::clone(&log)));
            }
        });
        Responder { port, seen, task }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut socket: TcpStream,
    script: Arc<impl Fn(&Request) -> Vec<Step>>,
    log: Arc<Mutex<Vec<Request>>>,
) {
    let Some(request) = read_request(&mut socket).await else { return };
    let steps = script(&request);
    log.lock().unwrap().push(request);
    for step in steps {
        match step {
            Step::Write(bytes) => {
                if socket.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Step::Pause(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
            Step::Reset => socket.set_zero_linger().unwrap(),
            Step::Hold => std::future::pending().await,
        }
    }
}

async fn read_request(socket: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break at;
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let line = lines.next()?.to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|l| l.split_once(": "))
        .map(|(n, v)| (n.to_ascii_lowercase(), v.to_owned()))
        .collect();
    let length: usize = headers.get("content-length").map_or(0, |v| v.parse().unwrap());
    while bytes.len() < end + 4 + length {
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = String::from_utf8(bytes[end + 4..].to_vec()).unwrap();
    Some(Request { line, headers, body })
}
