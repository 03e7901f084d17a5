//! Differential proof: answers that follow the truth of a condition were given by something that
//! judged it. What a reflecting or filtering server can do is excluded one by one.

use std::collections::{BTreeMap, BTreeSet};

use super::text::sent;
use super::{Oracle, Proof, group, payload, says};
use crate::arguments::decoded;
use crate::evidence::{Evidence, Exchange, ExchangeId, Reply, steady};
use crate::probes::benign::is_refused;
use crate::response::{Answer, item_count};

/// Each condition is asked at least this often in either truth, with other values each time.
const EACH: usize = 2;

/// The proof that a group of calls gives, told with the first true one.
pub(super) fn proof(evidence: &Evidence, exchange: &Exchange, name: &str) -> Option<Proof> {
    let truth_of = |x: &Exchange| match &x.oracle {
        Some(Oracle::Differential { truth, .. }) => Some(*truth),
        Some(_) | None => None,
    };
    let calls = group(
        evidence,
        exchange,
        |o| matches!(o, Oracle::Differential { group, .. } if group == name),
    );
    let (truths, falsehoods): (Vec<&Exchange>, Vec<&Exchange>) =
        calls.iter().partition(|x| truth_of(x) == Some(true));
    let first = truths.first().is_some_and(|x| x.id == exchange.id);
    let follows = first
        && truths.len() >= EACH
        && falsehoods.len() >= EACH
        && truths.iter().all(|x| Answer::of(evidence, x) == Answer::Accepted)
        // What is turned away for its shape, such as its length, was never judged.
        && falsehoods.iter().all(|x| {
            x.reply.why_unseen().is_none() && !is_refused(&Answer::of(evidence, x))
        })
        && all_alike(&falsehoods)
        && (all_alike(&truths)
            || is_opaque(&truths, &falsehoods)
                && (grow(&truths, falsehoods[0]) || fail(evidence, &falsehoods)))
        && !is_alike(truths[0], falsehoods[0])
        && !truths.iter().any(|t| finds_itself(t, falsehoods[0]))
        // A filter may know a tautology by its looks, but it has no rows to show for it.
        && (is_opaque(&truths, &falsehoods) || shows_more(&truths[0].reply, &falsehoods[0].reply));
    let ids = |of: &[&Exchange]| of.iter().map(|x| x.id).collect::<Vec<ExchangeId>>();
    follows.then(|| Proof::Differential { truths: ids(&truths), falsehoods: ids(&falsehoods) })
}

/// Whether no filter and no echo could tell true from false: each pair is made of the same
/// characters in another order, and what is true is asked in other words each time.
fn is_opaque(truths: &[&Exchange], falsehoods: &[&Exchange]) -> bool {
    let made_of = |x: &Exchange| {
        let sent = payload(x);
        let mut characters: Vec<char> = decoded(&sent).unwrap_or(sent).chars().collect();
        characters.sort_unstable();
        characters
    };
    let asked: BTreeSet<String> = truths.iter().map(|x| payload(x)).collect();
    asked.len() == truths.len()
        && !falsehoods.iter().any(|f| asked.contains(&payload(f)))
        && truths.iter().zip(falsehoods).all(|(t, f)| made_of(t) == made_of(f))
}

/// Whether a store was only asked for what an earlier call put into it under the very name.
fn finds_itself(truth: &Exchange, falsehood: &Exchange) -> bool {
    says(&truth.reply, &payload(truth)) && !says(&falsehood.reply, &payload(falsehood))
}

fn all_alike(calls: &[&Exchange]) -> bool {
    calls.windows(2).all(|pair| is_alike(pair[0], pair[1]))
}

/// Whether what is false is turned down: then it tells nothing that what is true shows another state of
/// the store by now.
fn fail(evidence: &Evidence, falsehoods: &[&Exchange]) -> bool {
    falsehoods.iter().all(|x| match Answer::of(evidence, x) {
        Answer::Refused { .. } | Answer::ToolError(_) => true,
        Answer::Accepted
        | Answer::Malformed(_)
        | Answer::Crashed
        | Answer::Hung
        | Answer::Unseen(_) => false,
    })
}

/// Whether each answer lists more than that to the falsehood, and all that the one before did: the
/// store grew in the meantime.
fn grow(truths: &[&Exchange], falsehood: &Exchange) -> bool {
    let put_in = |pair: &[&Exchange]| {
        let (a, b) = (told(pair[0]), told(pair[1]));
        let same = |(x, y): &(char, char)| x == y;
        let head = a.chars().zip(b.chars()).take_while(same).count();
        let tail = a.chars().rev().zip(b.chars().rev()).take_while(same).count();
        head + tail >= a.chars().count() && a.len() < b.len()
    };
    truths.iter().all(|t| shows_more(&t.reply, &falsehood.reply)) && truths.windows(2).all(put_in)
}

/// Whether two answers are the same but for what they repeat of their questions. What either question
/// holds counts in neither: a word that every answer lists would else be missing from one.
pub fn is_alike(a: &Exchange, b: &Exchange) -> bool {
    // Of equal answers the same is left.
    a.reply == b.reply || told_beside(a, b) == told_beside(b, a)
}

/// Lists at least two things more.
fn shows_more(truth: &Reply, falsehood: &Reply) -> bool {
    let count = |r: &Reply| item_count(r).unwrap_or_else(|| rows(&r.text()));
    count(truth) >= count(falsehood) + 2
}

/// Lines that are built alike: the same marks between their words, or a word each.
fn rows(text: &str) -> usize {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let marks: String = line.chars().filter(|c| !c.is_alphanumeric() && *c != ' ').collect();
        let sentence = marks.chars().all(|c| ".,!?'".contains(c));
        let prose = sentence && (!marks.is_empty() || line.contains(' '));
        if !prose {
            *kinds.entry(marks).or_default() += 1;
        }
    }
    kinds.into_values().max().unwrap_or(0)
}

/// What an answer says, without clock readings and without what it repeats of the payload.
pub fn told(exchange: &Exchange) -> String {
    told_beside(exchange, exchange)
}

/// The same, also without what it repeats of another payload.
fn told_beside(exchange: &Exchange, other: &Exchange) -> String {
    let text = match &*exchange.reply {
        Reply::Result { value } => value.to_string(),
        Reply::Error { code, message, data } => format!("{code} {message} {data:?}"),
        Reply::Malformed { raw, .. } => raw.clone(),
        Reply::Silence | Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            exchange.reply.kind().to_owned()
        }
    };
    let mut sent: Vec<String> = sent(exchange).into_iter().chain(sent(other)).collect();
    // Of two that overlap, the longer goes first whichever answer is read.
    sent.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    sent.dedup();
    let echoes = sent.iter().flat_map(|text| echoes(text));
    let without = |text: String, echo: String| match text.contains(&echo) {
        true => text.replace(&echo, "·"),
        false => text,
    };
    steady(&echoes.fold(text, without))
}

/// A text as it may be repeated: as it stands, in other letters, and escaped once and twice.
fn echoes(sent: &str) -> Vec<String> {
    let inner = |text: &str| {
        let quoted = serde_json::Value::from(text).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let html = sent
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#x27;");
    let decimal = html.replace("&#x27;", "&#39;");
    let forms = [sent.to_owned(), sent.to_lowercase(), sent.to_uppercase(), html, decimal];
    let mut all: Vec<String> = forms.iter().map(|f| inner(&inner(f))).collect();
    all.extend(forms.iter().map(|f| inner(f)));
    all.extend(forms);
    all.dedup();
    all
}
