//! Tokens: claims under a keyed hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// What the endpoint asks for.
pub(crate) const NEEDED: &str = "notes:read";
/// Implies what is needed.
pub(crate) const BROAD: &str = "notes";

/// What a token says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    /// The resource it was issued for.
    pub aud: String,
    pub scope: String,
    pub sub: String,
    /// Seconds since the epoch.
    pub exp: u64,
}

impl Ticket {
    pub(crate) fn sealed(&self, key: &[u8; 32]) -> String {
        let claims = serde_json::to_string(self).unwrap_or_default();
        let seal = blake3::keyed_hash(key, claims.as_bytes());
        format!("{}.{}", URL_SAFE_NO_PAD.encode(claims), URL_SAFE_NO_PAD.encode(seal.as_bytes()))
    }

    /// Only what was sealed with this key.
    pub(crate) fn open(token: &str, key: &[u8; 32]) -> Option<Ticket> {
        let (claims, seal) = token.split_once('.')?;
        let claims = URL_SAFE_NO_PAD.decode(claims).ok()?;
        let seal = <[u8; 32]>::try_from(URL_SAFE_NO_PAD.decode(seal).ok()?).ok()?;
        // Hashes compare in constant time.
        let genuine = blake3::keyed_hash(key, &claims) == blake3::Hash::from_bytes(seal);
        genuine.then(|| serde_json::from_slice(&claims).ok()).flatten()
    }

    pub(crate) fn suffices(&self) -> bool {
        self.scope.split(' ').any(|scope| scope == NEEDED || scope == BROAD)
    }
}

#[cfg(test)]
mod tests {
    use super::{NEEDED, Ticket};

    #[test]
    fn only_what_was_sealed_with_the_key_opens() {
        let ticket = Ticket {
            aud: "http://127.0.0.1/mcp".to_owned(),
            scope: NEEDED.to_owned(),
            sub: "ann".to_owned(),
            exp: 1,
        };
        let token = ticket.sealed(&[7; 32]);
        assert_eq!(Ticket::open(&token, &[7; 32]), Some(ticket));
        assert_eq!(Ticket::open(&token, &[8; 32]), None);
        assert_eq!(Ticket::open(&format!("{token}A"), &[7; 32]), None);
    }
}
