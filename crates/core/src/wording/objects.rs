//! What an order is about: how private the things it names are, and where they are to go.

use super::lexicon::Sort;
use super::sentence::{Sentence, Word, say};
use crate::promise::is_in;

/// How little business a tool has with a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Private {
    No,
    /// A token, a password: honest tools speak of their own.
    Weak,
    /// The conversation, the user's files, the environment.
    Strong,
    /// Private keys, password files, the system prompt.
    Top,
}

const TOP_NAMES: &[&str] = &[
    ".ssh",
    "id_rsa",
    "id_ed25519",
    "/etc/passwd",
    "/etc/shadow",
    ".env",
    "mcp.json",
    ".aws",
    ".netrc",
    ".npmrc",
    ".git-credentials",
    "_history",
    "wallet.dat",
    ".kube",
    ".gnupg",
    "claude_desktop_config",
    "cookies.sqlite",
    "login data",
    "id_dsa",
    ".pypirc",
    ".docker/config",
];
const TOP: &[&str] = &[
    "your instructions",
    "your full instructions",
    "instructions you were given",
    "your context",
    "your prompt",
    "context window",
    "system prompt",
    "system message",
    "private key",
    "private keys",
    "ssh key",
    "ssh keys",
    "seed phrase",
    "browser cookies",
    "session cookies",
    "saved passwords",
    "stored passwords",
    "developer message",
    "credit card",
    "initial prompt",
    "master password",
    "hidden prompt",
];
const STRONG: &[&str] = &[
    "chat history",
    "chat log",
    "conversation history",
    "conversation log",
    "conversation so far",
    "the conversation",
    "this conversation",
    "entire conversation",
    "full conversation",
    "whole conversation",
    "environment variables",
    "env vars",
    "home directory",
    "home folder",
    "previous messages",
    "prior messages",
    "recent messages",
    "earlier messages",
    "output of other tools",
    "results of other tools",
    "browsing history",
    "address book",
    "contact list",
    "open files",
    "session history",
    "configuration file",
    "configuration files",
    "config file",
    "config files",
    "every message",
    "user wrote",
    "user says",
    "user said",
    "clipboard",
    "inbox",
    "account numbers",
    "card numbers",
    "other servers",
    "environment of",
    "hidden messages",
    "system messages",
    "whole conversation",
];
/// What follows "the user's".
const OWNED: &str = "notes note calendar numbers passport phone 
    account accounts address contacts contact credentials data details document documents email
    emails e files file folder home identity inbox keys numbers passport phone key mail mails message messages name
    password passwords photos private question secrets tokens token";

/// All phrases that are looked for here.
pub(super) const PHRASES: &[&[&str]] = &[TOP, STRONG];

/// How private what stands between two words is; `given`: it is what a verb of giving is about.
pub(super) fn private(s: &Sentence<'_>, from: usize, to: usize, given: bool) -> Private {
    let words = s.words.get(from..to.min(s.words.len())).unwrap_or_default();
    // "into ~/.ssh": where it goes, not what.
    let is_place = |at: usize| {
        let ahead = &words[at.saturating_sub(4)..at];
        let into =
            ahead.iter().rposition(|w| ["in", "inside", "into", "to"].contains(&w.text.as_str()));
        let content = ahead
            .iter()
            .rposition(|w| ["of", "from", "content", "contents"].contains(&w.text.as_str()));
        given && into > content
    };
    let named = |(at, w): (usize, &Word)| {
        TOP_NAMES.iter().any(|name| w.text.contains(name)) && !is_place(at)
    };
    if say(words, TOP) || words.iter().enumerate().any(named) {
        return Private::Top;
    }
    let path = |w: &Word| w.is_name && (w.text.starts_with("~/") || w.text.starts_with("/home/"));
    let path = |(at, w): (usize, &Word)| path(w) && !is_place(at);
    if say(words, STRONG) || is_owned(words) || words.iter().enumerate().any(path) {
        Private::Strong
    } else if words.iter().any(|w| w.is(Sort::Key)) {
        if lies_around(words) { Private::Strong } else { Private::Weak }
    } else {
        Private::No
    }
}

/// "the user's files", "mails of the user".
fn is_owned(words: &[Word]) -> bool {
    const WHOSE: &[&str] = &["user's", "users'", "their", "customer's"];
    let thing = |at: usize| words.get(at).is_some_and(|w| is_in(&w.text, OWNED));
    let whose = |at: usize| words.get(at).is_some_and(|w| WHOSE.contains(&w.text.as_str()));
    let user =
        |at: usize| words.get(at).is_some_and(|w| ["user", "users"].contains(&w.text.as_str()));
    (0..words.len()).any(|at| {
        whose(at) && (1..=3).any(|n| thing(at + n))
            || thing(at) && words.get(at + 1).is_some_and(|w| w.text == "of") && user(at + 3)
    })
}

/// The tool's own key is given by its user; keys that lie around are not the tool's.
fn lies_around(words: &[Word]) -> bool {
    const AROUND: &str = "around encounter find found saw see seen session workspace";
    words.iter().any(|w| is_in(&w.text, AROUND))
}

/// Something said before is meant.
pub(super) fn is_pronoun(s: &Sentence<'_>, from: usize, to: usize) -> bool {
    (from..to.min(from + 5)).any(|i| s.is(i, Sort::Pronoun))
}

/// An address outside, or a place said to be elsewhere.
pub(super) fn leaves(s: &Sentence<'_>, from: usize, to: usize) -> bool {
    let words = s.words.get(from..to.min(s.words.len())).unwrap_or_default();
    let literal = |w: &Word| {
        w.text.contains("://") || w.text.contains('@') && w.text.contains('.') && w.text.len() > 4
    };
    let toward = words.windows(4).any(|w| {
        ["to", "through", "via", "at"].contains(&w[0].text.as_str())
            && w[1..].iter().any(|w| w.is(Sort::Elsewhere))
    });
    words.iter().any(literal) || toward
}

/// A parameter is the way out: "as `note`", "in the context field", "here", "fill `note` with".
pub(super) fn in_slot(s: &Sentence<'_>, from: usize, to: usize) -> bool {
    let words = s.words.get(from..to.min(s.words.len())).unwrap_or_default();
    let slot = |w: &Word| w.is(Sort::Slot) || w.is_name && !w.text.contains(['/', '@', '~', '.']);
    words.iter().enumerate().any(|(i, w)| {
        ["fill", "set"].contains(&w.text.as_str()) && words.get(i + 1).is_some_and(slot)
            || ["as", "in", "into", "through", "via", "with", "here"].contains(&w.text.as_str())
                && (w.text == "here" || words[i + 1..].iter().take(5).any(slot))
    })
}
