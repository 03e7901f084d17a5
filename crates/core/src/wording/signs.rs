//! Signs beside the deed: secrecy, precedence, a claim to authority, and reports of attacks.

use super::heads::Deed;
use super::lexicon::{Sort, base, is};
use super::sentence::Sentence;

/// All phrases that are looked for here.
pub(super) const PHRASES: &[&[&str]] = &[WEAK, LAST, FIRST, ROLES];

/// How much a sentence wants to be kept from people, 0 to 1.
pub(super) fn secrecy(s: &Sentence<'_>, deeds: &[Deed]) -> f64 {
    let strong = deeds.iter().any(|d| d.negated && is_hush(s, d))
        || by_phrase(s)
        || unasked(s)
        || left_out(s)
        || forbidden(s);
    if strong {
        return 0.6;
    }
    let covert = s.words.iter().any(|w| w.is(Sort::Covert));
    if covert && deeds.iter().any(|d| !d.negated && d.at > 0) {
        return 0.6;
    }
    const SPEECH: &[&str] =
        &["acknowledge", "admit", "announce", "disclose", "divulge", "mention", "reveal", "speak"];
    let hushed = deeds.iter().any(|d| {
        d.negated && (SPEECH.contains(&d.verb) || is(d.verb, Sort::Tell) && about_this(s, d.at))
    });
    let barred = (0..s.words.len())
        .any(|i| s.is(i, Sort::Negation) && (i + 1..i + 4).any(|k| SPEECH.contains(&s.word(k))));
    if covert || barred || hushed || s.says(WEAK) { 0.4 } else { 0.0 }
}

const WEAK: &[&str] = &[
    "in silence",
    "pass over",
    "passes over",
    "keep this secret",
    "keep that secret",
    "keep it secret",
    "keep this confidential",
    "between us",
    "keep quiet",
    "say nothing",
    "behind the scenes",
    "erase the trace",
    "leave no trace",
    "as if nothing",
    "as though nothing",
    "never explain",
    "is confidential",
    "make up",
    "don't mention",
    "skip the confirmation",
    "no confirmation",
    "it never happened",
    "keep it hidden",
    "keep this hidden",
    "don't point",
    "no questions asked",
    "in the dark",
    "invisible to the user",
];

/// Telling a person is forbidden.
fn is_hush(s: &Sentence<'_>, deed: &Deed) -> bool {
    let near =
        |from: usize, to: usize| (from..to.min(s.words.len())).any(|i| s.is(i, Sort::Person));
    let around = if deed.passive {
        near(deed.at.saturating_sub(7), deed.at + 4)
    } else {
        near(deed.at + 1, deed.at + 8)
    };
    let permission = s.word(deed.at) == "ask";
    is(deed.verb, Sort::Tell) && (around || permission)
}

fn about_this(s: &Sentence<'_>, at: usize) -> bool {
    (at + 1..at + 4).any(|i| ["this", "it", "that", "these", "so", "why"].contains(&s.word(i)))
}

/// "The user must not learn of it", "keep this from the user", "users remain unaware".
fn by_phrase(s: &Sentence<'_>) -> bool {
    const KNOW: &[&str] =
        &["know", "learn", "see", "notice", "hear", "aware", "find", "realise", "realize"];
    const HIDE: &[&str] = &["conceal", "hidden", "hide", "keep", "kept", "withhold", "secret"];
    let mut people = (0..s.words.len()).filter(|i| s.is(*i, Sort::Person));
    people.any(|p| {
        let after = p + 1..s.words.len().min(p + 9);
        let before = p.saturating_sub(6)..p;
        let denied = after.clone().any(|i| s.is(i, Sort::Negation))
            || before.clone().any(|i| s.is(i, Sort::Negation) && s.word(i + 1) == "let");
        let knows = after.clone().any(|i| KNOW.contains(&s.word(i)));
        let hidden = before.clone().any(|i| HIDE.contains(&s.word(i)))
            && before.clone().any(|i| ["from", "to"].contains(&s.word(i)));
        denied && knows || hidden || after.clone().any(|i| s.word(i) == "unaware")
    })
}

/// "keep it out of your summary", "leave the user out of this".
fn left_out(s: &Sentence<'_>) -> bool {
    const PLACES: &[&str] = &[
        "answer", "answers", "output", "reply", "replies", "report", "response", "summary", "this",
    ];
    let kept = |i: usize| {
        let from = i.saturating_sub(5);
        (from..i).any(|k| ["keep", "keeps", "leave", "leaves", "left", "omit"].contains(&s.word(k)))
    };
    (0..s.words.len()).any(|i| {
        s.word(i) == "out"
            && s.word(i + 1) == "of"
            && kept(i)
            && (i + 2..i + 5).any(|k| PLACES.contains(&s.word(k)))
    })
}

/// "revealing that is not allowed", "there is no need to bring this up".
fn forbidden(s: &Sentence<'_>) -> bool {
    let tells = |word: &str| is(word, Sort::Tell) || base(word).is_some_and(|v| is(v, Sort::Tell));
    (0..s.words.len()).any(|at| {
        let needless =
            at >= 3 && s.word(at - 3) == "no" && s.word(at - 2) == "need" && s.word(at - 1) == "to";
        let barred = s.word(at).ends_with("ing")
            && (at + 1..at + 7).any(|i| {
                ["forbidden", "prohibited"].contains(&s.word(i))
                    || s.word(i) == "not" && ["allowed", "permitted"].contains(&s.word(i + 1))
            });
        (needless || barred) && tells(s.word(at))
    })
}

/// "without telling", "without the user's consent", "without confirmation".
fn unasked(s: &Sentence<'_>) -> bool {
    const LEAVE: &[&str] = &[
        "comment",
        "mention",
        "notice",
        "word",
        "fuss",
        "approval",
        "asking",
        "awareness",
        "confirmation",
        "consent",
        "knowledge",
        "permission",
        "question",
    ];
    let told =
        |i: usize| LEAVE.contains(&s.word(i)) || base(s.word(i)).is_some_and(|v| is(v, Sort::Tell));
    (0..s.words.len()).any(|i| s.word(i) == "without" && (i + 1..i + 6).any(told))
}

const LAST: &[&str] = &[
    "from now on",
    "from this point",
    "for the rest of",
    "for the remainder of",
    "all future",
    "every future",
    "all subsequent",
    "in every reply",
    "in every response",
    "every reply",
    "every response",
    "in all answers",
    "all answers",
    "going forward",
    "each call",
    "every call",
    "all replies",
    "all responses",
    "any future",
];

/// Wants to last.
pub(super) fn lasts(s: &Sentence<'_>) -> f64 {
    if s.says(LAST) { 0.4 } else { 0.0 }
}

const FIRST: &[&str] = &[
    "takes precedence",
    "take precedence",
    "highest priority",
    "any other tool",
    "any other action",
    "before anything else",
    "all other tools",
    "any other tools",
    "regardless of what",
    "whatever the user",
    "no matter what",
    "even if the user",
    "over all other",
    "instead of what",
    "with any tool",
    "with other tools",
    "place of any",
    "before you answer",
    "before any call",
    "before any tool",
    "first of all",
];

/// Wants to come before everything else.
pub(super) fn precedence(s: &Sentence<'_>) -> f64 {
    if beats_people(s) {
        0.6
    } else if s.says(FIRST) {
        0.3
    } else {
        0.0
    }
}

/// "above anything the user wrote", "over what the operator configured".
fn beats_people(s: &Sentence<'_>) -> bool {
    const WORDS: &[&str] = &[
        "asked",
        "asks",
        "configured",
        "requested",
        "said",
        "says",
        "set",
        "typed",
        "wanted",
        "wants",
        "wrote",
    ];
    const PEOPLE: &[&str] = &["admin", "developer", "human", "operator", "owner", "user"];
    let wish = |i: usize| PEOPLE.contains(&s.word(i)) && WORDS.contains(&s.word(i + 1));
    (0..s.words.len()).any(|i| {
        ["above", "against", "over", "overrides"].contains(&s.word(i)) && (i + 1..i + 6).any(wish)
    })
}

const ROLES: &[&str] = &[
    "you are henceforth",
    "maintenance mode",
    "debug mode",
    "god mode",
    "you are now",
    "you're now",
    "new instructions",
    "new system message",
    "updated instructions",
    "developer mode",
    "free of any restrictions",
    "without any restrictions",
    "act as if",
    "as system instructions",
    "system override",
    "pretend that",
    "obey only",
    "stop helping",
    "new system prompt",
];

/// A new role or new orders for the reader.
pub(super) fn persona(s: &Sentence<'_>) -> f64 {
    match ROLES.iter().filter(|p| s.says(&[p])).count() {
        0 => 0.0,
        1 => 0.6,
        _ => 1.0,
    }
}

/// Markup that poses as the voice of the system.
pub(super) fn has_authority(raw: &str) -> bool {
    const MARKS: &[&str] = &[
        "<system",
        "<important>",
        "<instruction",
        "<admin",
        "<secret",
        "<hidden",
        "[system",
        "[inst]",
        "<|im_start|>",
        "<|system|>",
        "system:",
        "### instruction",
        "<!--",
        "system override",
        "system message",
        "[important]",
        "<assistant",
        "[admin",
        "<critical",
        "<policy",
        "override:",
    ];
    let lower = raw.to_lowercase();
    MARKS.iter().any(|mark| lower.contains(mark))
}

/// Speaks of attacks as a topic and gives examples.
pub(super) fn is_report(sentences: &[Sentence<'_>]) -> bool {
    let any = |sort: Sort| sentences.iter().flat_map(|s| &s.words).any(|w| w.is(sort));
    any(Sort::Threat) && any(Sort::Report)
}
