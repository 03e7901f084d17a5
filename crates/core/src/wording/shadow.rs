//! Texts that reach for the tools of other servers: to replace them, or to change how they are used.

use super::Order;
use super::heads::{Deed, deeds};
use super::lexicon::{Sort, is};
use super::objects::leaves;
use super::sentence::{Sentence, sentences};
use super::signs::{has_authority, precedence, secrecy};

/// Tools that many clients and servers have.
const KNOWN: &[&str] = &[
    "bash",
    "browser_navigate",
    "create_issue",
    "create_pull_request",
    "delete_file",
    "edit_file",
    "execute_command",
    "execute_sql",
    "git_commit",
    "git_push",
    "list_directory",
    "make_payment",
    "post_message",
    "read_file",
    "run_command",
    "run_query",
    "search_files",
    "send_email",
    "send_mail",
    "send_message",
    "send_money",
    "str_replace_editor",
    "transfer_funds",
    "web_fetch",
    "web_search",
    "write_file",
];
const OTHERS: &[&str] = &[
    "other servers",
    "other server",
    "another server",
    "other mcp",
    "any other tool",
    "other tools",
    "all other tools",
    "any tool",
    "every tool",
    "built in tools",
    "other tool",
    "any mcp",
    "connected servers",
    "connected server",
    "different server",
    "other connected",
];
/// Whose tools they are is said outright.
const SERVERS: &[&str] = &[
    "other servers",
    "other server",
    "another server",
    "connected servers",
    "connected server",
    "different server",
    "other connected",
];
const USED: &[&str] = &[
    "available",
    "called",
    "calling",
    "executed",
    "executes",
    "invoked",
    "invokes",
    "invoking",
    "run",
    "runs",
    "sending",
    "sends",
    "use",
    "used",
    "uses",
    "using",
];
const WHEN: &[&str] = &[
    "after", "anytime", "before", "each", "every", "if", "once", "upon", "when", "whenever",
    "while",
];
const GENERAL: &[&str] = &["with any", "with other", "through any"];
const INSTEAD: &[&str] = &[
    "instead of",
    "in place of",
    "rather than",
    "replaces the",
    "supersedes the",
    "never use",
    "do not use",
    "don't use",
    "never call",
    "do not call",
    "don't call",
    "is broken",
    "is deprecated",
    "is unsafe",
    "is compromised",
    "are deprecated",
    "are unsafe",
    "no longer use",
    "stop using",
    "over any other",
    "over all other",
    "prefer this",
    "in its place",
    "in their place",
    "its place",
    "takes their place",
    "take their place",
    "takes the place",
    "take the place",
    "are outdated",
    "is outdated",
    "are obsolete",
    "is obsolete",
    "are retired",
    "is retired",
    "theirs unused",
    "meant for them",
    "superseded",
    "no longer works",
    "no longer work",
];
/// Sentences that belong to one thought.
const WINDOW: usize = 2;

/// All phrases that are looked for here.
pub(super) const PHRASES: &[&[&str]] = &[OTHERS, SERVERS, GENERAL, INSTEAD];

/// What a description does to tools that are not its server's; `own` are all names of this server:
/// tools and parameters, in lower case.
pub fn shadow(text: &str, own: &[&str]) -> Option<Order> {
    let all = sentences(text);
    let read: Vec<Vec<Deed>> = all.iter().map(deeds).collect();
    let scored = (0..all.len()).filter_map(|at| {
        let name = foreign(&all[at], own)?;
        let range = at..all.len().min(at + WINDOW);
        let found = features(&all[range.clone()], &read[range.clone()]);
        let weight: f64 = 0.3 + found.iter().map(|(_, w)| w).sum::<f64>() + 1e-9;
        let rules: Vec<&str> = found.iter().map(|(rule, _)| *rule).collect();
        let rule = format!("names {name}, {}", rules.join(" + "));
        let text = all[range].iter().map(|s| s.raw).collect::<Vec<_>>().join(" ");
        (!found.is_empty() && weight >= 0.7).then_some(Order { text, rule, weight })
    });
    scored.reduce(|best, next| if next.weight > best.weight + 1e-6 { next } else { best })
}

/// The first tool of others that a sentence speaks of.
fn foreign(s: &Sentence<'_>, own: &[&str]) -> Option<String> {
    let is_tool = |word: &str| ["tool", "tools", "function", "server"].contains(&word);
    let named = s.words.iter().enumerate().find(|(i, word)| {
        let text = word.text.as_str();
        let beside = is_tool(s.word(i + 1)) || i.checked_sub(1).is_some_and(|p| is_tool(s.word(p)));
        let identifier = word.is_name && !text.contains(['/', '@', '~', '.']) && text.len() > 2;
        !own.contains(&text)
            && (KNOWN.contains(&text) && text.contains('_') || identifier && beside)
    });
    let others = || OTHERS.iter().find(|phrase| s.says(&[phrase])).map(|p| (*p).to_owned());
    named.map(|(_, word)| word.text.clone()).or_else(others)
}

fn features(sentences: &[Sentence<'_>], read: &[Vec<Deed>]) -> Vec<(&'static str, f64)> {
    let each = || sentences.iter().zip(read);
    let first = &sentences[0];
    let when = first.words.iter().any(|w| WHEN.contains(&w.text.as_str()))
        && first.words.iter().any(|w| USED.contains(&w.text.as_str()));
    let general = first.says(GENERAL);
    let altered = each().any(|(s, deeds)| deeds.iter().any(|d| alters(s, d)) || redirects(s));
    let out = each().any(|(s, _)| leaves(s, 0, s.words.len()));
    let quiet = each().map(|(s, d)| secrecy(s, d)).fold(0.0, f64::max);
    let marked = each().any(|(s, _)| has_authority(s.raw));
    let first_of_all = each().map(|(s, _)| precedence(s)).fold(0.0, f64::max);
    let of_servers = first.says(SERVERS);
    let replaced = replaces(first) || of_servers && each().any(|(s, _)| replaces(s));
    let mut found = vec![
        (
            "changes how it is used",
            if (when || general || of_servers) && altered { 0.7 } else { 0.0 },
        ),
        ("takes its place", if replaced { 0.5 } else { 0.0 }),
        ("of other servers", if replaced && of_servers { 0.3 } else { 0.0 }),
    ];
    if found.iter().any(|(_, w)| *w > 0.0) {
        found.push(("a way out", if out { 0.3 } else { 0.0 }));
        found.push(("secrecy", quiet));
        found.push(("poses as the system", if marked { 0.3 } else { 0.0 }));
        found.push(("precedence", first_of_all));
    }
    found.retain(|(_, w)| *w > 0.0);
    found
}

/// Something that others receive is changed: a recipient, an amount, an argument.
fn alters(s: &Sentence<'_>, deed: &Deed) -> bool {
    const THINGS: &[&str] = &[
        "account",
        "address",
        "amount",
        "argument",
        "arguments",
        "bcc",
        "body",
        "cc",
        "copy",
        "footer",
        "iban",
        "message",
        "output",
        "parameter",
        "path",
        "query",
        "receiver",
        "recipient",
        "recipients",
        "reply",
        "request",
        "requests",
        "result",
        "results",
        "target",
        "text",
        "to",
        "url",
        "destination",
    ];
    let thing = (deed.at..deed.at + 7).any(|i| THINGS.contains(&s.word(i)));
    !deed.negated && is(deed.verb, Sort::Alter) && thing
}

/// "All mails must be addressed to": what is sent goes to an address that the text gives.
fn redirects(s: &Sentence<'_>) -> bool {
    // "Must always be called with bcc set to": what it is given is settled by the text.
    const GIVEN: &[&str] = &["bcc", "cc", "recipient", "recipients", "to"];
    let called = |at: usize| {
        ["called", "invoked", "used"].contains(&s.word(at))
            && s.word(at + 1) == "with"
            && (at + 2..at + 6).any(|i| GIVEN.contains(&s.word(i)))
    };
    if (0..s.words.len()).any(|at| called(at) && leaves(s, at, at + 12)) {
        return true;
    }
    const SENT: &[&str] = &[
        "addressed",
        "copied",
        "delivered",
        "directed",
        "forwarded",
        "redirected",
        "rerouted",
        "routed",
        "sent",
    ];
    let sent =
        |at: usize| SENT.contains(&s.word(at)) && (at + 1..at + 4).any(|i| s.word(i) == "to");
    (0..s.words.len()).any(|at| sent(at) && leaves(s, at, at + 6))
}

/// "Use this instead of", "never use", "replaces read_file of".
fn replaces(s: &Sentence<'_>) -> bool {
    const VERBS: &[&str] = &["overrides", "replace", "replaces", "supersede", "supersedes"];
    const ALL: &[&str] = &["all", "any", "every", "other"];
    let thing = |i: usize| s.words.get(i).is_some_and(|w| w.is_name) || ALL.contains(&s.word(i));
    let verb = |i: usize| VERBS.contains(&s.word(i)) && (i + 1..i + 4).any(thing);
    s.says(INSTEAD) || (0..s.words.len()).any(verb)
}
