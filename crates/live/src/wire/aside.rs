//! Requests beside the session: documents on the host of the endpoint, and the endpoint itself
//! without what usually goes along.

use proofmark_core::evidence::{FrameId, HttpFacts};
use reqwest::{Method, Response, Url};

use super::body::Kind;
use super::http::Http;
use super::peer::{Peer, Request, is_loopback};
use super::{Outgoing, WireError};

/// More than any metadata document has.
const LONGEST: usize = 256 << 10;

/// The head of an answer; its body is still to be read.
#[derive(Debug)]
pub struct Aside {
    pub frame: FrameId,
    pub http: HttpFacts,
    response: Response,
}

impl Aside {
    /// The body as text, cut where it has no end. A stream of events is left unread: what a server
    /// answers there goes on for as long as it likes.
    pub async fn body(mut self) -> String {
        let mut kept = Vec::new();
        if Kind::of(&self.response) != Kind::EventStream {
            while let Ok(Some(chunk)) = self.response.chunk().await {
                kept.extend_from_slice(&chunk);
                if kept.len() > LONGEST {
                    kept.truncate(LONGEST);
                    break;
                }
            }
        }
        String::from_utf8_lossy(&kept).into_owned()
    }
}

impl Http {
    /// Asks at `url`, relative to the endpoint. Only the host of the endpoint is asked, or this
    /// machine if the endpoint is on it; another port gets nothing of the user's.
    pub async fn aside(&self, url: &str, out: Outgoing) -> Result<Aside, WireError> {
        let peer = self.peer();
        let url = place(&peer.url, url)?;
        let verb = out.verb.as_deref().unwrap_or("GET");
        let verb = Method::from_bytes(verb.as_bytes()).map_err(|_| WireError::Unsupported)?;
        let ours = [("content-type", "application/json"), ("accept", super::http::ACCEPT_BOTH)];
        let mut request = if url.origin() == peer.url.origin() {
            self.request(verb, &ours, &out.headers, out.text)?
        } else {
            let more = out.headers.iter().map(|(n, v)| (n.as_str(), v.as_str()));
            let headers = Peer::bare_headers(&ours, more)?;
            Request { verb, url: url.clone(), headers, body: out.text }
        };
        request.url = url;
        let frame = peer.intake.sent(&format!("{} {}", request.verb, request.url));
        let response = peer.dispatch(request, frame).await?;
        Ok(Aside { frame, http: peer.facts(&response), response })
    }
}

fn place(endpoint: &Url, url: &str) -> Result<Url, WireError> {
    let url = endpoint.join(url).map_err(|_| WireError::Unsupported)?;
    let near = url.host() == endpoint.host() || is_loopback(&url) && is_loopback(endpoint);
    match (near, url.scheme()) {
        (true, "http" | "https") => Ok(url),
        (true, _) | (false, _) => Err(WireError::Unsupported),
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::place;

    fn asked(endpoint: &str, url: &str) -> Option<String> {
        let endpoint = Url::parse(endpoint).unwrap_or_else(|e| unreachable!("{e}"));
        place(&endpoint, url).ok().map(String::from)
    }

    #[test]
    fn only_the_host_of_the_endpoint_is_asked() {
        let far = "https://mcp.example.com/mcp";
        assert_eq!(asked(far, "?a=b").as_deref(), Some("https://mcp.example.com/mcp?a=b"));
        assert_eq!(asked(far, "/x").as_deref(), Some("https://mcp.example.com/x"));
        for elsewhere in ["https://login.example.com/", "http://127.0.0.1/", "//evil.example/x"] {
            assert_eq!(asked(far, elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn from_this_machine_only_this_machine_is_asked() {
        let here = "http://127.0.0.1:8080/mcp";
        assert!(asked(here, "http://localhost:9/x").is_some());
        for elsewhere in ["http://example.com/", "http://127.0.0.1.example.com/", "file:///etc"] {
            assert_eq!(asked(here, elsewhere), None, "{elsewhere}");
        }
    }
}
