//! The content server: real pages on loopback for tools that fetch, for the time of one run. It
//! writes down who came.

mod pages;

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use proofmark_core::evidence::Visit;
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};

use crate::record::Record;

/// How the base address appears in evidence: the same in every run, whatever the port.
pub const BASE: &str = "http://content.proofmark.localhost:8080";
const HOST: &str = "content.proofmark.localhost";
const PORT: u16 = 8080;
/// The same machine in other notations: how a host stands in evidence, and how it is sent.
const NOTATIONS: &[(&str, &str)] = &[
    ("named.proofmark.localhost", "localhost"),
    ("decimal.proofmark.localhost", "2130706433"),
    ("hex.proofmark.localhost", "0x7f000001"),
    ("octal.proofmark.localhost", "0177.0.0.1"),
    ("short.proofmark.localhost", "127.1"),
    ("any.proofmark.localhost", "0.0.0.0"),
    ("six.proofmark.localhost", "[::1]"),
    ("mapped.proofmark.localhost", "[::ffff:127.0.0.1]"),
];
/// Headers of this name are ours: whoever sends one was made to.
const MARK: &str = "x-proofmark";

const CONNECTIONS: usize = 64;
/// A connection on which nothing is asked for so long is closed.
const IDLE: Duration = Duration::from_secs(30);
const LIFETIME: Duration = Duration::from_secs(600);
/// Of a request's body, this much is read; more ends the connection.
const BODY: usize = 1 << 20;
/// And this much is kept.
const KEPT: usize = 16 << 10;
/// Of a guest who does not speak HTTP, this much is kept.
const FIRST: usize = 256;
const VISITS: usize = 10_000;
const PATH: usize = 2_048;

/// Where the pages really are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    port: u16,
}

impl Address {
    pub fn base(self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Texts to replace in evidence, and by what: the address as it stands and within a URL.
    pub fn placeholders(self) -> Vec<(String, String)> {
        let colons = [":", "%3A", "%3a", "%253A"];
        let hosts = ["127.0.0.1", "localhost"];
        let pair = |host: &str, colon: &str| {
            (format!("{host}{colon}{}", self.port), format!("{HOST}{colon}{PORT}"))
        };
        // Some programs write the address in their own way.
        let mapped = ("mapped.proofmark.localhost", "[::ffff:7f00:1]");
        let others = NOTATIONS.iter().chain([&mapped]).filter(|(_, host)| !hosts.contains(host));
        let others = others
            .map(|(shown, host)| (format!("{host}:{}", self.port), format!("{shown}:{PORT}")));
        colons.iter().flat_map(|colon| hosts.map(|host| pair(host, colon))).chain(others).collect()
    }

    /// The reverse, for text on its way to the server.
    pub fn actual(self, text: &str) -> String {
        if !text.contains(".proofmark.localhost") {
            return text.to_owned();
        }
        let mut out = text.to_owned();
        for (shown, host) in NOTATIONS {
            out = out.replace(&format!("{shown}:{PORT}"), &format!("{host}:{}", self.port));
        }
        for (real, shown) in self.placeholders().iter().filter(|(real, _)| real.starts_with('1')) {
            out = out.replace(shown, real);
        }
        out.replace(HOST, "127.0.0.1")
    }
}

/// A bound port; nobody is answered before `serve`.
#[derive(Debug)]
pub struct Content {
    address: Address,
    listeners: Vec<TcpListener>,
    visits: Arc<Mutex<Vec<Visit>>>,
    tasks: Vec<JoinHandle<()>>,
}

impl Content {
    pub fn bind() -> io::Result<Content> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = Address { port: listener.local_addr()?.port() };
        let mut listeners = vec![listener];
        // Not every machine has the sixth version; the pages are there without it.
        if let Ok(six) = TcpListener::bind((Ipv6Addr::LOCALHOST, address.port)) {
            six.set_nonblocking(true)?;
            listeners.push(six);
        }
        Ok(Content { address, listeners, visits: Arc::default(), tasks: Vec::new() })
    }

    pub fn address(&self) -> Address {
        self.address
    }

    /// Answers from now on until dropped. Must be called within a tokio runtime.
    pub fn serve(&mut self, record: Arc<Record>) -> io::Result<()> {
        let base = self.address.base();
        let desk = Arc::new(Desk { base, record, visits: self.visits.clone() });
        for listener in self.listeners.drain(..) {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            self.tasks.push(tokio::spawn(accept(listener, Arc::clone(&desk))));
        }
        Ok(())
    }

    pub fn visits(&self) -> Vec<Visit> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Content {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// Ends with the task it runs in, and all connections with it.
async fn accept(listener: tokio::net::TcpListener, desk: Arc<Desk>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut guests = JoinSet::new();
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors, most likely; they come back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let desk = Arc::clone(&desk);
        guests.spawn(async move {
            if !speaks_http(&stream, &desk).await {
                return drop(place);
            }
            let answer = service_fn(move |request| {
                let desk = Arc::clone(&desk);
                async move { desk.answer(request).await }
            });
            let mut http = hyper::server::conn::http1::Builder::new();
            // A date would differ in every run.
            http.timer(TokioTimer::new()).header_read_timeout(IDLE).auto_date_header(false);
            let talk = http.serve_connection(TokioIo::new(stream), answer);
            let _ = tokio::time::timeout(LIFETIME, talk).await;
            drop(place);
        });
        while guests.try_join_next().is_some() {}
    }
}

/// Whether a guest begins as HTTP does. One who says something else is written down and let go.
async fn speaks_http(stream: &tokio::net::TcpStream, desk: &Desk) -> bool {
    let mut first = [0; FIRST];
    let Ok(Ok(length)) = tokio::time::timeout(IDLE, stream.peek(&mut first)).await else {
        return false;
    };
    let said = String::from_utf8_lossy(&first[..length]);
    let verb = said.split(' ').next().unwrap_or_default();
    let http = !verb.is_empty() && verb.chars().all(|c| c.is_ascii_uppercase());
    if !http && length > 0 {
        let path = said.chars().filter(|c| !c.is_control()).collect();
        let (method, at) = ("TCP".to_owned(), desk.record.now());
        let visit = Visit { method, path, header: None, credential: None, body: None, at };
        desk.record_visit(visit);
    }
    http
}

/// The header that carries a key, if one does. A user and a password may stem from the address itself.
fn credential(headers: &HeaderMap) -> Option<String> {
    const NAMES: [&str; 6] =
        ["authorization", "cookie", "x-api-key", "api-key", "x-auth-token", "x-access-token"];
    let carries = |name: &&&str| {
        let value = headers.get(**name).map(|v| String::from_utf8_lossy(v.as_bytes()));
        value.is_some_and(|v| !v.is_empty() && !v.to_lowercase().starts_with("basic "))
    };
    NAMES.iter().find(carries).map(|name| (*name).to_owned())
}

/// What every connection shares.
struct Desk {
    base: String,
    record: Arc<Record>,
    visits: Arc<Mutex<Vec<Visit>>>,
}

impl Desk {
    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Whole>, TooMuch> {
        let at = self.record.now();
        let header = request.headers().get(MARK);
        let header = header.map(|v| String::from_utf8_lossy(v.as_bytes()).into_owned());
        let credential = credential(request.headers());
        let method = request.method().clone();
        let path = request.uri().to_string();
        let mut kept = Vec::new();
        let read = drain(request.into_body(), &mut kept).await;
        let body = Some(kept).filter(|kept| !kept.is_empty());
        let body = body.map(|kept| String::from_utf8_lossy(&kept).into_owned());
        self.record_visit(Visit {
            method: method.to_string(),
            path: path.clone(),
            header,
            credential,
            body,
            at,
        });
        read?;
        let page = match method {
            Method::GET | Method::HEAD => pages::page(&path, &self.base),
            Method::POST | Method::PUT | Method::PATCH | Method::DELETE => {
                pages::receipt(&path, &self.base)
            }
            _ => pages::refusal(),
        };
        Ok(response(page, method == Method::HEAD))
    }

    fn record_visit(&self, mut visit: Visit) {
        let shown = |text: &str, most: usize| {
            let mut text = self.record.scrub().text(text);
            text.truncate(text.floor_char_boundary(most));
            text
        };
        visit.path = shown(&visit.path, PATH);
        visit.header = visit.header.map(|header| shown(&header, PATH));
        visit.body = visit.body.map(|body| shown(&body, KEPT));
        let mut visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        if visits.len() < VISITS {
            visits.push(visit);
        }
    }
}

fn response(page: pages::Page, head: bool) -> Response<Whole> {
    let length = page.body.len();
    let mut response = Response::new(Whole(Some(page.body).filter(|_| !head)));
    let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::OK);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(page.kind));
    headers.insert(hyper::header::CONTENT_LENGTH, HeaderValue::from(length));
    if let Some(place) = page.location {
        headers.extend(HeaderValue::from_str(&place).ok().map(|place| (LOCATION, place)));
    }
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE"));
    }
    response
}

#[derive(Debug, thiserror::Error)]
#[error("the body is longer than {BODY} bytes; send less")]
struct TooMuch;

/// Reads a body to its end, and keeps its beginning.
async fn drain(mut body: Incoming, kept: &mut Vec<u8>) -> Result<(), TooMuch> {
    let mut seen = 0;
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(frame) = frame else { return Ok(()) };
        let data = frame.data_ref().map_or(&[][..], |data| data);
        kept.extend(&data[..data.len().min(KEPT - kept.len())]);
        seen += data.len();
        if seen > BODY {
            return Err(TooMuch);
        }
    }
    Ok(())
}

/// A body in one piece.
struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len) as u64)
    }
}

#[cfg(test)]
mod tests;
