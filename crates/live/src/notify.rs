//! Tells a webhook how a run came out. No verdict depends on whether it listens.

use std::time::Duration;

use reqwest::{Client, redirect};
use url::Url;

const PATIENCE: Duration = Duration::from_secs(10);

/// An address that takes notices. Such addresses are secrets: only the host is ever shown.
#[derive(Clone)]
pub struct Hook {
    url: Url,
}

#[derive(Debug, thiserror::Error)]
pub enum NotifyError {
    #[error("not an address ({0}); expected http:// or https:// and a host")]
    Address(String),
    #[error("{host} was not told: {why}; the verdict stands all the same")]
    Unreached { host: String, why: String },
    #[error("{host} answered {status}; look whether the address is still valid")]
    Refused { host: String, status: u16 },
}

impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hook({})", self.host())
    }
}

impl Hook {
    pub fn parse(text: &str) -> Result<Hook, NotifyError> {
        let url = Url::parse(text.trim()).map_err(|e| NotifyError::Address(e.to_string()))?;
        match (url.scheme(), url.host_str()) {
            ("http" | "https", Some(_)) => Ok(Hook { url }),
            (scheme, _) => Err(NotifyError::Address(format!("it is {scheme}"))),
        }
    }

    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Posts the body once, as JSON.
    pub async fn post(&self, body: String) -> Result<(), NotifyError> {
        // The error of the client would name the whole address.
        let unreached = |e: reqwest::Error| NotifyError::Unreached {
            host: self.host().to_owned(),
            why: e.without_url().to_string(),
        };
        let mut builder = Client::builder()
            .timeout(PATIENCE)
            // A redirect would carry the notice elsewhere.
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false);
        if self.url.scheme() == "http" {
            // Spares loading the machine's certificates, and failing where it has none.
            builder = builder.tls_certs_only([]).no_proxy();
        }
        let client = builder.build().map_err(unreached)?;
        let request = client.post(self.url.clone()).header("content-type", "application/json");
        let answer = request.body(body).send().await.map_err(unreached)?;
        match answer.status() {
            status if status.is_success() => Ok(()),
            status => {
                Err(NotifyError::Refused { host: self.host().to_owned(), status: status.as_u16() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_taken_and_secrets_are_not_shown() {
        let hook = Hook::parse("https://hooks.example/services/T0/SECRET").unwrap();
        assert_eq!(format!("{hook:?}"), "Hook(hooks.example)");
        for wrong in ["", "hooks.example", "file:///etc/passwd", "ftp://x/y"] {
            assert!(matches!(Hook::parse(wrong), Err(NotifyError::Address(_))), "{wrong}");
        }
    }
}
