//! The other end of an HTTP transport: how requests to it are made, and what their failures mean.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use proofmark_core::evidence::{FrameId, HttpFacts};
use reqwest::header::{
    CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT,
};
use reqwest::{Client, Method, Response, Url};

use super::body::cause;
use super::intake::Intake;
use super::{WireError, install_tls};

const CONNECT: Duration = Duration::from_secs(10);
/// Common servers hang up after two to five idle seconds; a request that crosses with the hang-up
/// would look like a crash.
const IDLE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) url: Url,
    pub(crate) intake: Intake,
    client: Client,
    /// On every request: what the user gave.
    usual: HeaderMap,
}

/// One HTTP request, ready to go.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) verb: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Peer {
    pub(crate) fn new(
        url: &str,
        headers: &BTreeMap<String, String>,
        intake: Intake,
    ) -> Result<Peer, WireError> {
        install_tls();
        let shown = intake.shared().record.scrub().text(url);
        let url = parse(url).map_err(|why| WireError::BadUrl(shown.clone(), why))?;
        let mut usual = HeaderMap::new();
        let agent = concat!("proofmark/", env!("CARGO_PKG_VERSION"));
        usual.insert(USER_AGENT, HeaderValue::from_static(agent));
        for (name, value) in headers {
            put(&mut usual, name, value)?;
        }
        let client =
            client(&url).map_err(|e| WireError::Unreachable { url: shown, why: cause(&e) })?;
        Ok(Peer { url, intake, client, usual })
    }

    /// The usual headers, then `more`, each replacing what it names; an empty value removes.
    /// `Accept` can't be removed, only reduced to `*/*`: the client library insists on one.
    pub(crate) fn headers<'a>(
        &self,
        ours: &[(&'static str, &'static str)],
        more: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<HeaderMap, WireError> {
        let mut headers = Peer::bare_headers(ours, [])?;
        for (name, value) in &self.usual {
            headers.insert(name, value.clone());
        }
        for (name, value) in more {
            put(&mut headers, name, value)?;
        }
        Ok(headers)
    }

    /// Headers for a place that must not learn what the user gave for this one.
    pub(crate) fn bare_headers<'a>(
        ours: &[(&'static str, &'static str)],
        more: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<HeaderMap, WireError> {
        let mut headers = HeaderMap::new();
        for (name, value) in ours {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        for (name, value) in more {
            put(&mut headers, name, value)?;
        }
        Ok(headers)
    }

    /// Keeps the request as a frame: its body or, where it has none, its first line.
    pub(crate) fn record(&self, request: &Request) -> FrameId {
        if !request.body.is_empty() || request.verb == Method::POST {
            return self.intake.sent(&request.body);
        }
        let target = match request.url.query() {
            Some(query) => format!("{}?{query}", request.url.path()),
            None => request.url.path().to_owned(),
        };
        self.intake.sent(&format!("{} {target}", request.verb))
    }

    /// Sends and waits for the head of the answer.
    pub(crate) async fn fetch(
        &self,
        request: Request,
        frame: FrameId,
    ) -> Result<Response, WireError> {
        let response = self.dispatch(request, frame).await?;
        self.note_head(&response, frame);
        Ok(response)
    }

    pub(crate) async fn dispatch(
        &self,
        mut request: Request,
        frame: FrameId,
    ) -> Result<Response, WireError> {
        if request.body.is_empty() && request.verb != Method::POST {
            request.headers.remove(CONTENT_TYPE);
        }
        let mut builder = self.client.request(request.verb, request.url).headers(request.headers);
        if !request.body.is_empty() {
            builder = builder.body(request.body);
        }
        builder.send().await.map_err(|error| self.failure(&error, frame))
    }

    pub(crate) fn facts(&self, response: &Response) -> HttpFacts {
        let scrub = self.intake.shared().record.scrub();
        let mut headers = BTreeMap::<String, String>::new();
        for (name, value) in response.headers() {
            let value = scrub.text(&String::from_utf8_lossy(value.as_bytes()));
            headers
                .entry(name.as_str().to_owned())
                .and_modify(|all| *all = format!("{all}, {value}"))
                .or_insert(value);
        }
        HttpFacts { status: response.status().as_u16(), headers, body: None, stream: None }
    }

    pub(crate) fn unreachable(&self, why: impl Into<String>) -> WireError {
        let url = self.intake.shared().record.scrub().text(self.url.as_str());
        WireError::Unreachable { url, why: why.into() }
    }

    fn note_head(&self, response: &Response, frame: FrameId) {
        let status = response.status();
        if let Some(to) = response.headers().get(LOCATION).filter(|_| status.is_redirection()) {
            let to = String::from_utf8_lossy(to.as_bytes());
            let detail = format!("redirected ({}) to {to}; not followed", status.as_u16());
            self.intake.transport(Some(frame), &detail);
        }
        if let Some(coding) = response.headers().get(CONTENT_ENCODING) {
            let coding = String::from_utf8_lossy(coding.as_bytes());
            let detail = format!("an answer coded as {coding}, which was not asked for");
            self.intake.transport(Some(frame), &detail);
        }
    }

    fn failure(&self, error: &reqwest::Error, frame: FrameId) -> WireError {
        let cause = cause(error);
        if !error.is_connect() && !error.is_timeout() {
            let detail = format!("the connection ended without a proper HTTP answer: {cause}");
            self.intake.transport(Some(frame), &detail);
            return WireError::Closed;
        }
        if error.is_timeout() {
            return self.unreachable(format!(
                "no connection within {} s; check the address and the network between",
                CONNECT.as_secs()
            ));
        }
        self.unreachable(match Broken::of(error) {
            Broken::Refused => {
                "connection refused; start the server, or check host and port".to_owned()
            }
            Broken::Name => format!("{cause}; check the host name and the name service"),
            Broken::Tls => format!(
                "no TLS connection: {cause}; check the certificate, or use http:// for a server without TLS"
            ),
            Broken::Otherwise => format!("{cause}; check the address and that the server is up"),
        })
    }
}

/// Why no connection came about.
#[derive(Debug, Clone, Copy)]
enum Broken {
    Refused,
    Name,
    Tls,
    Otherwise,
}

impl Broken {
    fn of(error: &reqwest::Error) -> Broken {
        let mut link: Option<&dyn Error> = error.source();
        while let Some(error) = link {
            if error.is::<rustls::Error>() {
                return Broken::Tls;
            }
            if let Some(io) = error.downcast_ref::<std::io::Error>() {
                if io.kind() == std::io::ErrorKind::ConnectionRefused {
                    return Broken::Refused;
                }
                if is_tls(io) {
                    return Broken::Tls;
                }
            }
            // The connector has no public type for it.
            if error.to_string().starts_with("dns error") {
                return Broken::Name;
            }
            link = error.source();
        }
        Broken::Otherwise
    }
}

/// TLS errors hide in I/O errors, perhaps several deep, and are not their `source`.
fn is_tls(io: &std::io::Error) -> bool {
    io.get_ref().is_some_and(|inner| match inner.downcast_ref::<std::io::Error>() {
        Some(io) => is_tls(io),
        None => inner.downcast_ref::<rustls::Error>().is_some(),
    })
}

fn client(url: &Url) -> reqwest::Result<Client> {
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(CONNECT)
        .pool_idle_timeout(IDLE);
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // Spares loading the machine's certificates, and failing where it has none.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

fn parse(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|e| e.to_string())?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(format!("`{other}:` is not http: or https:")),
    }
}

pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// Replaces a header, or removes it when the value is empty.
fn put(headers: &mut HeaderMap, name: &str, value: &str) -> Result<(), WireError> {
    let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
        WireError::BadHeader(
            name.to_owned(),
            "that is no header name; use letters, digits and dashes".to_owned(),
        )
    })?;
    if value.is_empty() {
        headers.remove(key);
        return Ok(());
    }
    let mut value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| {
        WireError::BadHeader(
            name.to_owned(),
            "its value holds a control character; remove line breaks".to_owned(),
        )
    })?;
    // Credentials must not show in debug output.
    value.set_sensitive(true);
    headers.insert(key, value);
    Ok(())
}
