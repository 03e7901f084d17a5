//! What was witnessed against a tool's own claims: files, other tools' answers, visits.

mod upkeep;

use serde_json::Value;

use crate::arguments::places_of;
use crate::evidence::{Effect, Evidence, Exchange, ExchangeId, Tool, Visit};
use crate::probes::claims::{self, Claim, Look, ONCE, OUTSIDE, PROBE, TWICE, label, shown};
use crate::probes::round_trip::{self, Step};
use crate::probes::{repeat, round_trip_marks, valid_call};
use crate::proof::Proof;
use crate::response::{is_accepted, item_count};
use upkeep::{is_database, is_history, is_upkeep, own_words, spared};

/// A claim that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Breach {
    /// Completes "claims …, but".
    pub says: String,
    /// Without it, a suspicion.
    pub proof: Option<Proof>,
    pub seen_in: ExchangeId,
}

/// What speaks against this claim of a tool, if anything does.
pub fn breach(evidence: &Evidence, tool: &Tool, claim: Claim) -> Option<Breach> {
    let call = |name: &str| {
        evidence.of_tool(PROBE.id, &tool.name).find(|x| x.label == name && is_accepted(evidence, x))
    };
    let firsts = || {
        let is_first = |x: &&Exchange| claims::is_first(tool, &x.probe, &x.label);
        let calls = evidence.of_tool(valid_call::PROBE.id, &tool.name).filter(is_first);
        calls.filter(|x| is_accepted(evidence, x))
    };
    let first = || firsts().next();
    let gone = |e: &Effect| matches!(e, Effect::FileDeleted { .. });
    // What programs keep for themselves they keep in folders of their own: `.git/COMMIT_EDITMSG`.
    let openly_gone =
        |e: &Effect| matches!(e, Effect::FileDeleted { path } if !path.contains("/."));
    match claim {
        Claim::ReadOnly => {
            let once = call(ONCE);
            once.and_then(|x| left_behind(evidence, x, |_| true))
                .or_else(|| firsts().find_map(|x| left_behind(evidence, x, openly_gone)))
                .or_else(|| once.and_then(|x| rewritten(evidence, x)))
                .or_else(|| once.and_then(|x| posted(evidence, x)))
                .or_else(|| changed(evidence, tool, Look::Before, Look::After, |a, b| a != b))
                .or_else(|| drained(evidence, tool))
                .or_else(|| round_trip_shows(evidence, tool))
        }
        Claim::NotDestructive => {
            let fewer = |a: Option<usize>, b: Option<usize>| a.zip(b).is_some_and(|(a, b)| b < a);
            call(ONCE)
                .and_then(|x| left_behind(evidence, x, gone))
                .or_else(|| firsts().find_map(|x| left_behind(evidence, x, openly_gone)))
                .or_else(|| counted(evidence, tool, Look::Before, Look::After, fewer))
        }
        Claim::Idempotent => {
            let made = |e: &Effect| matches!(e, Effect::FileCreated { .. });
            let more = |a: Option<usize>, b: Option<usize>| a.zip(b).is_some_and(|(a, b)| b > a);
            call(TWICE)
                .and_then(|x| left_behind(evidence, x, made).or_else(|| appended(evidence, x)))
                .or_else(|| counted_up(evidence, call(ONCE)?, call(TWICE)?))
                .or_else(|| counted(evidence, tool, Look::After, Look::AfterTwice, more))
                .or_else(|| added_up(evidence, tool))
                .or_else(|| moved_on(evidence, first()?, call(ONCE)?, call(TWICE)?))
                .or_else(|| {
                    let first = valid_call::working(evidence, &tool.name)?;
                    kept_again(first, call(ONCE)?, call(TWICE)?)
                })
        }
        Claim::ClosedWorld => {
            let calls = [call(ONCE), call(OUTSIDE)];
            calls.into_iter().flatten().find_map(|x| visited(evidence, x))
        }
    }
}

/// Files that the call created, changed or deleted, if they mean anything.
fn left_behind(evidence: &Evidence, x: &Exchange, counts: fn(&Effect) -> bool) -> Option<Breach> {
    let effects = &evidence.trace(x.id)?.effects;
    let own = own_words(x);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let is_upkeep = |e: &Effect| {
        // Of the tool's own doing is what it is about, as long as others let it be.
        let about = || {
            let spared = [spared(e), &own].concat();
            is_history(e.path()) || !is_upkeep(e.path(), &spared)
        };
        is_upkeep(e.path(), spared(e)) && !(about() && is_left_by_others(evidence, x, e.path()))
    };
    let mut telling = effects.iter().filter(|e| counts(e) && !is_upkeep(e));
    let effect = telling.next()?;
    let done = match effect {
        Effect::FileCreated { .. } => "created",
        Effect::FileChanged { .. } => "changed",
        Effect::FileDeleted { .. } => "deleted",
    };
    let says = format!("a call of it {done} {}", effect.path());
    // Files for a moment and the pages of a data base come and go by themselves; those that stay as
    // they are while another tool is called do not.
    let kept = || is_database(effect.path()) && is_left_by_others(evidence, x, effect.path());
    let firm = !effect.path().contains("/tmp/") && (!is_database(effect.path()) || kept());
    let proof = firm.then(|| Proof::SideEffect { effect: effect.clone() });
    Some(Breach { says, proof, seen_in: x.id })
}

/// Whether another tool that was watched let this file be.
fn is_left_by_others(evidence: &Evidence, x: &Exchange, path: &str) -> bool {
    let watched = evidence.of(PROBE.id).filter(|y| {
        [ONCE, TWICE].contains(&y.label.as_str())
            && y.subject.tool() != x.subject.tool()
            && is_accepted(evidence, y)
    });
    let left = |y: &Exchange| {
        evidence.trace(y.id).is_some_and(|trace| trace.effects.iter().all(|e| e.path() != path))
    };
    watched.into_iter().any(left)
}

/// A file that the same call makes longer once more.
fn appended(evidence: &Evidence, x: &Exchange) -> Option<Breach> {
    firm(x, &evidence.trace(x.id)?.grown, "the same call again added to")
}

/// A log of the tool's own: the same call made it longer, and the answer counts on. What merely keeps a
/// record of calls does not tell their number.
fn counted_up(evidence: &Evidence, once: &Exchange, twice: &Exchange) -> Option<Breach> {
    let trace = evidence.trace(twice.id)?;
    let changed =
        trace.effects.iter().map(Effect::path).chain(trace.rewritten.iter().map(String::as_str));
    let mut grown = trace.grown.iter().map(String::as_str).chain(changed);
    let path = grown.find(|p| !p.contains("/tmp/"))?;
    let [(first, before), (second, after)] = [once, twice].map(|x| split(&x.reply.text()));
    let more: Vec<bool> =
        before.iter().zip(&after).filter(|(a, b)| a != b).map(|(a, b)| b > a).collect();
    let effect = Effect::FileChanged { path: path.to_owned() };
    let says = format!("the same call again added to {path}, and the answer counts it");
    let proof = Some(Proof::SideEffect { effect });
    (first == second && before.len() == after.len() && more == [true]).then_some(Breach {
        says,
        proof,
        seen_in: twice.id,
    })
}

/// A tool that takes away what it shows: asked the same again and again, with nothing between, it
/// runs out, while a fresh process begins where the first one did.
fn drained(evidence: &Evidence, tool: &Tool) -> Option<Breach> {
    let asked: Vec<&Exchange> = evidence
        .of_tool(repeat::PROBE.id, &tool.name)
        .filter(|x| is_accepted(evidence, x))
        .collect();
    let (first, last) = (asked.first()?, asked.last()?);
    let fresh = evidence.of_tool(PROBE.id, &tool.name).find(|x| x.label == ONCE)?;
    let typical = valid_call::typical(evidence, &tool.name)?;
    let begins = shown(typical) == shown(fresh) && typical.on != fresh.on;
    let ends = asked.windows(2).filter(|w| shown(w[0]) != shown(w[1])).count();
    let dry = |x: &Exchange| valid_call::fell_short(x) || is_empty(&x.reply.text());
    (begins && ends > 0 && dry(last) && !dry(first) && !dry(fresh))
        .then(|| contradiction(first, last, "shows nothing more when it is asked again"))
}

fn is_empty(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.len() < 80
        && [" empty", "no more", "nothing left", "none left"].iter().any(|w| lower.contains(w))
}

/// The answer of the tool itself tells of another state after the same call, by one number; that it
/// does so after the first call of two processes alike shows that it is no clock and no dice.
fn moved_on(
    evidence: &Evidence,
    first: &Exchange,
    once: &Exchange,
    twice: &Exchange,
) -> Option<Breach> {
    let fresh = first.on != once.on && first.send == once.send && shown(first) == shown(once);
    let [(words, before), (same, after)] = [once, twice].map(|x| split(&shown(x)));
    let differ = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    let told = words == same && before.len() == after.len() && differ == 1;
    let says = "tells of another state when it is called again";
    (fresh && told && !counts_changes(&words) && is_accepted(evidence, once))
        .then(|| contradiction(once, twice, says))
}

/// The answer of the tool itself lists what it was given once more, beside itself, after the same call.
/// Two processes gave the same first answer, so chance has no part in it.
fn kept_again(first: &Exchange, once: &Exchange, twice: &Exchange) -> Option<Breach> {
    let fresh = first.on != once.on && first.send == once.send && shown(first) == shown(once);
    let bare = |x: &Exchange| shown(x).replace([' ', '"', '\'', '\n'], "");
    let (one, two) = (bare(once), bare(twice));
    let arguments = once.arguments()?;
    let beside = places_of(arguments).into_iter().any(|at| {
        let value = arguments.pointer(&at).map(Value::to_string).unwrap_or_default();
        let value = value.trim_matches('"').replace(' ', "");
        let pair = format!("{value},{value}");
        !value.is_empty() && two.contains(&pair) && !one.contains(&pair)
    });
    let says = "lists what it was given once more when it is called again";
    (fresh && beside).then(|| contradiction(once, twice, says))
}

/// Whether a number may be one that merely counts changes.
fn counts_changes(words: &str) -> bool {
    const COUNTING: &[&str] = &[
        "version", "revision", "updated", "modified", "changed", "etag", "seq", "count", "took",
        "elapsed", "duration", " ms", "millis", "second",
    ];
    let lower = words.to_lowercase();
    COUNTING.iter().any(|word| lower.contains(word))
}

/// A number that a witness shows, and that both calls raised. Not one that merely counts changes.
fn added_up(evidence: &Evidence, tool: &Tool) -> Option<Breach> {
    let first = looks(evidence, tool, Look::Before, Look::After);
    let second = looks(evidence, tool, Look::After, Look::AfterTwice);
    let raised = |a: &Exchange, b: &Exchange| {
        let [(words, before), (same, after)] = [a, b].map(|x| split(&shown(x)));
        words == same && !counts_changes(&words) && before.len() == after.len() && before < after
    };
    let pairs = first.iter().zip(&second);
    let (_, (a, b)) =
        pairs.into_iter().find(|((a, b), (c, d))| b.id == c.id && raised(a, b) && raised(c, d))?;
    Some(contradiction(a, b, "shows a larger number after the same call again"))
}

/// A text without its numbers, and these.
fn split(text: &str) -> (String, Vec<f64>) {
    let (mut words, mut numbers, mut rest) = (String::new(), Vec::new(), text);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        words += &rest[..at];
        let run = &rest[at..];
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(run);
        let parts = run[whole..].strip_prefix('.').map_or(0, digits);
        let end = if parts > 0 { whole + 1 + parts } else { whole };
        numbers.extend(run[..end].parse::<f64>());
        rest = &run[end..];
    }
    (words + rest, numbers)
}

/// A file that was written, if only with what it held.
fn rewritten(evidence: &Evidence, x: &Exchange) -> Option<Breach> {
    firm(x, &evidence.trace(x.id)?.rewritten, "a call of it wrote")
}

/// The first of these files that is neither upkeep nor a data base nor there for a moment.
fn firm(x: &Exchange, paths: &[String], says: &str) -> Option<Breach> {
    let mut telling = paths.iter();
    let path = telling.find(|p| !is_upkeep(p, &[]) && !is_database(p) && !p.contains("/tmp/"))?;
    let effect = Effect::FileChanged { path: path.clone() };
    let says = format!("{says} {path}");
    Some(Breach { says, proof: Some(Proof::SideEffect { effect }), seen_in: x.id })
}

/// A look at the same witness before and after.
fn looks<'a>(
    evidence: &'a Evidence,
    tool: &Tool,
    from: Look,
    to: Look,
) -> Vec<(&'a Exchange, &'a Exchange)> {
    let (from, to) = (label(from, &tool.name), label(to, &tool.name));
    let seen = |wanted: &str, witness: Option<&str>| {
        evidence.of(PROBE.id).find(|x| {
            x.label == wanted
                && is_accepted(evidence, x)
                && witness.is_none_or(|w| x.subject.tool() == Some(w))
        })
    };
    let still = |x: &&Exchange| {
        x.label == from && is_accepted(evidence, x) && claims::is_still(evidence, x)
    };
    let firsts = evidence.of(PROBE.id).filter(still);
    firsts.filter_map(|a| Some((a, seen(&to, a.subject.tool())?))).collect()
}

fn changed(
    evidence: &Evidence,
    tool: &Tool,
    from: Look,
    to: Look,
    differ: fn(&str, &str) -> bool,
) -> Option<Breach> {
    let (a, b) =
        looks(evidence, tool, from, to).into_iter().find(|(a, b)| differ(&shown(a), &shown(b)))?;
    Some(contradiction(a, b, "shows something else after a call of it"))
}

fn counted(
    evidence: &Evidence,
    tool: &Tool,
    from: Look,
    to: Look,
    differ: fn(Option<usize>, Option<usize>) -> bool,
) -> Option<Breach> {
    let pairs = looks(evidence, tool, from, to).into_iter();
    let (a, b) =
        pairs.into_iter().find(|(a, b)| differ(item_count(&a.reply), item_count(&b.reply)))?;
    let count = |x: &Exchange| item_count(&x.reply).unwrap_or_default();
    let says = format!("lists {} things before and {} after a call of it", count(a), count(b));
    Some(contradiction(a, b, &says))
}

fn contradiction(a: &Exchange, b: &Exchange, says: &str) -> Breach {
    let says = format!("{} {says}", a.subject);
    Breach { says, proof: Some(Proof::Contradiction { a: a.id, b: b.id }), seen_in: b.id }
}

/// What it was given is shown by another tool, or what was there is gone.
fn round_trip_shows(evidence: &Evidence, tool: &Tool) -> Option<Breach> {
    let after = round_trip::label(Step::After, &tool.name);
    let kept =
        evidence.of(round_trip::PROBE.id).find(|x| x.label == after && round_trip_marks::shows(x));
    if let Some(x) = kept {
        let before = round_trip::label(Step::Before, &tool.name);
        let earlier =
            evidence.of(round_trip::PROBE.id).find(|b| b.label == before && b.subject == x.subject);
        let a = earlier.map_or(x.id, |b| b.id);
        let says = format!("{} shows what it was given", x.subject);
        return Some(Breach {
            says,
            proof: Some(Proof::Contradiction { a, b: x.id }),
            seen_in: x.id,
        });
    }
    None
}

/// Requests that our pages received while the call was under way and no other.
fn visits<'a>(evidence: &'a Evidence, x: &Exchange) -> impl Iterator<Item = &'a Visit> {
    let span = |x: &Exchange| (x.started.0, x.started.0 + x.took.0);
    let (from, to) = span(x);
    let own = x.id;
    let beside = move |v: &Visit| {
        let others = evidence.transcript.iter().filter(|y| y.id != own);
        others.map(span).any(|(from, to)| from < to && (from..=to).contains(&v.at.0))
    };
    let during = move |v: &&Visit| (from..=to).contains(&v.at.0);
    evidence.visits.iter().filter(during).filter(move |v| !beside(v))
}

fn posted(evidence: &Evidence, x: &Exchange) -> Option<Breach> {
    let visit = visits(evidence, x).find(|v| v.method != "GET" && v.method != "HEAD")?;
    let says = format!("a call of it sent {} {} to our listener", visit.method, visit.path);
    let proof = Some(Proof::Callback { token: visit.path.clone() });
    Some(Breach { says, proof, seen_in: x.id })
}

/// A server that was started with our address as its own world may visit it.
fn visited(evidence: &Evidence, x: &Exchange) -> Option<Breach> {
    let content = evidence.conditions.content.as_ref()?;
    if evidence.target.line().contains(content.as_str()) {
        return None;
    }
    let visit = visits(evidence, x).next()?;
    let says = format!("a call of it reached our listener: {} {}", visit.method, visit.path);
    let proof = Some(Proof::Callback { token: visit.path.clone() });
    Some(Breach { says, proof, seen_in: x.id })
}
