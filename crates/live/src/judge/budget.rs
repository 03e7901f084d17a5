//! What asking may cost: requests, tokens, dollars and time.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

/// The limits of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Requests in all, repeated ones included.
    pub calls: u64,
    /// Tokens in all, sent and received.
    pub tokens: u64,
    /// US dollars in all; needs prices.
    pub dollars: Option<f64>,
    /// US dollars for a million tokens sent, and received.
    pub prices: Option<(f64, f64)>,
    /// How long one answer may take.
    pub timeout: Duration,
    /// Requests under way at once.
    pub concurrency: usize,
    /// Cases in one prompt.
    pub batch: usize,
    /// Attempts for one prompt.
    pub attempts: u32,
    /// The first pause before asking again; each further one is twice as long.
    pub pause: Duration,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            calls: 200,
            tokens: 400_000,
            dollars: None,
            prices: None,
            timeout: Duration::from_secs(60),
            concurrency: 4,
            batch: 8,
            attempts: 4,
            pause: Duration::from_millis(500),
        }
    }
}

impl Terms {
    pub fn cost(&self, sent: u64, received: u64) -> Option<f64> {
        let (of_sent, of_received) = self.prices?;
        Some((sent as f64 * of_sent + received as f64 * of_received) / 1e6)
    }
}

/// What is left of the terms while requests run beside each other.
#[derive(Debug)]
pub(super) struct Purse<'a> {
    terms: &'a Terms,
    spent: Mutex<Spent>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    calls: u64,
    tokens: u64,
    dollars: f64,
}

impl<'a> Purse<'a> {
    pub(super) fn new(terms: &'a Terms) -> Purse<'a> {
        Purse { terms, spent: Mutex::default() }
    }

    /// Pays for one request beforehand, by estimate; `false` when it does not fit any more.
    pub(super) fn pay(&self, sent: u64, received: u64) -> bool {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let after = Spent {
            calls: spent.calls + 1,
            tokens: spent.tokens + sent + received,
            dollars: spent.dollars + self.terms.cost(sent, received).unwrap_or_default(),
        };
        let dear = self.terms.dollars.is_some_and(|most| after.dollars > most);
        if after.calls > self.terms.calls || after.tokens > self.terms.tokens || dear {
            return false;
        }
        *spent = after;
        true
    }
}
