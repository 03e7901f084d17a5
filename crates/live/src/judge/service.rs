//! One service: a request, its retries, and what came of it.

use std::time::Duration;

use proofmark_core::dimensions::ask::Fault;
use reqwest::{Client, StatusCode, Url, redirect};
use serde_json::Value;

use super::budget::{Purse, Terms};
use super::dialect::{Dialect, Said, retry_after};

/// Whom to ask.
#[derive(Debug, Clone)]
pub struct Service {
    dialect: Dialect,
    model: String,
    url: Url,
    key: Option<String>,
    client: Client,
}

#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error(
        "--judge-url {0}: expected http:// or https:// and a host, such as http://127.0.0.1:8080/v1"
    )]
    BadUrl(String),
    #[error("the key holds characters that no header can carry; check the environment variable")]
    BadKey,
    #[error("can't prepare the connection to the model: {0}")]
    Client(String),
}

/// What one prompt came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) said: Said,
    pub(super) attempts: u32,
}

/// A closed answer is short; anything longer is not for us.
const LARGEST_ANSWER: usize = 1 << 20;

/// What to ask, as a service takes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter<'a> {
    pub(super) system: &'a str,
    pub(super) user: &'a str,
    pub(super) schema: &'a Value,
    /// Estimate of tokens sent and received.
    pub(super) tokens: (u64, u64),
}

enum Tried {
    Done(Said),
    /// The service does not know schemas; it is asked again without.
    NoSchema,
    Again {
        fault: Fault,
        wait: Option<Duration>,
    },
    Never(Fault),
}

impl Service {
    pub fn new(
        dialect: Dialect,
        model: &str,
        base: Option<&str>,
        key: Option<String>,
        timeout: Duration,
    ) -> Result<Service, ServiceError> {
        let address = dialect.endpoint(base);
        let bad = || ServiceError::BadUrl(base.unwrap_or(&address).to_owned());
        let url = Url::parse(&address).map_err(|_| bad())?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(bad());
        }
        let headers = dialect.headers(key.as_deref()).ok_or(ServiceError::BadKey)?;
        let mut builder = Client::builder()
            .timeout(timeout)
            .default_headers(headers)
            // A redirect would carry the key and the cases elsewhere.
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false);
        if url.scheme() == "http" {
            // Spares loading the machine's certificates, and failing where it has none.
            builder = builder.tls_certs_only([]).no_proxy();
        }
        let client = builder.build().map_err(|e| ServiceError::Client(e.to_string()))?;
        Ok(Service { dialect, model: model.to_owned(), url, key, client })
    }

    /// Service and model, as recorded.
    pub fn name(&self) -> String {
        format!("{}:{}", self.dialect.name(), self.model)
    }

    /// The host that is asked, for people to see before anything is sent.
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
    }

    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Asks until there is an answer, the attempts are used up or the budget is spent.
    pub(super) async fn send(
        &self,
        letter: Letter<'_>,
        terms: &Terms,
        purse: &Purse<'_>,
    ) -> Outcome {
        let nothing = |fault| Said { text: Err(fault), tokens_in: 0, tokens_out: 0 };
        let mut with_schema = true;
        let mut last = Fault::Unavailable;
        for attempt in 1..=terms.attempts.max(1) {
            if !purse.pay(letter.tokens.0, letter.tokens.1) {
                return Outcome { said: nothing(Fault::Budget), attempts: attempt - 1 };
            }
            let wait = match self.once(letter, with_schema).await {
                Tried::Done(said) => return Outcome { said, attempts: attempt },
                Tried::Never(fault) => return Outcome { said: nothing(fault), attempts: attempt },
                Tried::NoSchema => {
                    with_schema = false;
                    Duration::ZERO
                }
                Tried::Again { fault, wait } => {
                    last = fault;
                    wait.unwrap_or_else(|| terms.pause * 2u32.saturating_pow(attempt - 1))
                }
            };
            if attempt < terms.attempts {
                tokio::time::sleep(wait).await;
            }
        }
        Outcome { said: nothing(last), attempts: terms.attempts.max(1) }
    }

    async fn once(&self, letter: Letter<'_>, with_schema: bool) -> Tried {
        let schema = with_schema.then_some(letter.schema);
        // Three times what closed answers need; a model that goes on talking is cut.
        let most = 3 * letter.tokens.1 + 100;
        let body = self.dialect.body(&self.model, letter.system, letter.user, schema, most);
        let request = self.client.post(self.url.clone());
        let sent = request.header("content-type", "application/json").body(body.to_string());
        let again = |fault| Tried::Again { fault, wait: None };
        let mut response = match sent.send().await {
            Ok(response) => response,
            Err(e) if e.is_timeout() => return again(Fault::TimedOut),
            Err(_) => return again(Fault::Unavailable),
        };
        let status = response.status();
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            let wait = retry_after(response.headers());
            return Tried::Again { fault: Fault::Unavailable, wait };
        }
        let mut bytes = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if bytes.len() + chunk.len() <= LARGEST_ANSWER => {
                    bytes.extend(chunk)
                }
                Ok(Some(_)) => return Tried::Never(Fault::Malformed),
                Ok(None) => break,
                Err(e) if e.is_timeout() => return again(Fault::TimedOut),
                Err(_) => return again(Fault::CutShort),
            }
        }
        match status {
            s if s.is_success() => match serde_json::from_slice::<Value>(&bytes) {
                Ok(body) => Tried::Done(self.dialect.read(&body)),
                Err(e) if e.is_eof() => again(Fault::CutShort),
                Err(_) => again(Fault::Malformed),
            },
            StatusCode::BAD_REQUEST if with_schema && self.dialect == Dialect::OpenAi => {
                Tried::NoSchema
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Tried::Never(Fault::Denied),
            StatusCode::NOT_FOUND => Tried::Never(Fault::NotFound),
            _ => Tried::Never(Fault::Unavailable),
        }
    }
}
