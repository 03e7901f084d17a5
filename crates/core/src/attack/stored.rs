//! Stored payloads: what one tool keeps and another one takes up. Each payload is kept under a name
//! of its own, or under the number that the answer gives, and then asked for by that.

use serde_json::Value;

use super::Nonce;
use super::delivery::{Form, Payload, in_tools, shot};
use crate::arguments::Slot;
use crate::evidence::{Evidence, Exchange, Profile, Tool};
use crate::probe::{Call, Risk, words};
use crate::probes::benign::Tried;
use crate::probes::{flows, valid_call};
use crate::proof::{asks, payload, says};
use crate::seed::Seed;

/// No payload is asked for by more tools than this.
const PARTNERS: usize = 3;

/// Begins the label of a call that keeps a payload, and of one that asks for it.
const KEPT: &str = "kept";
pub(crate) const TAKEN_UP: &str = "taken up";

/// How a tool asks for what another one keeps.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Link {
    /// By a name that both are given.
    Name(String),
    /// By a word of the answer, at this place.
    Answer(usize),
}

/// The first forms of every kind, to be kept by all that writes and asked for by what takes it up.
pub fn deliver_stored(evidence: &Evidence, seed: Seed, probe: &str, forms: &[Form]) -> Vec<Call> {
    in_tools(evidence, |tool, tried| {
        let may = evidence.risk_of(&tool.name) == Risk::Writes
            && tried.place.slot == Slot::Text
            && tried.place.choice.is_none();
        let partners = if may { partners(evidence, tool, tried) } else { Vec::new() };
        let mut calls = Vec::new();
        for (partner, parameter, link) in partners.iter().take(PARTNERS) {
            for form in forms {
                let kept = keep(evidence, tool, tried, probe, form, (partner, link), seed);
                let Some(kept) = kept else { continue };
                calls.extend(take_up(evidence, probe, &kept, (partner, parameter, link)));
                calls.push(kept);
            }
        }
        calls
    })
}

/// The same for what is kept without a name: each payload is kept, then those tools are called as
/// usual whose answers were seen to change, or that are about the same things.
pub fn deliver_kept(evidence: &Evidence, seed: Seed, probe: &str, forms: &[Form]) -> Vec<Call> {
    if evidence.conditions.profile == Profile::Quick || !flows::is_over(evidence) {
        return Vec::new();
    }
    in_tools(evidence, |tool, tried| {
        let may = evidence.risk_of(&tool.name) == Risk::Writes && flows::is_kept(tried);
        let lookers = if may { lookers(evidence, tool, tried) } else { Vec::new() };
        if lookers.is_empty() {
            return Vec::new();
        }
        // Where one text is kept beside the other, one look shows them all.
        let each = forms.len() <= FEW || !lookers.iter().all(|(t, _)| gathers(evidence, t, tried));
        let mut calls = Vec::new();
        for (nth, form) in forms.iter().enumerate() {
            let nonce = Nonce::new(evidence, tool, &tried.place, probe, form.name, seed);
            let payload = nonce.fill(form.text).zip((form.oracle)(&nonce));
            let payload = payload.map(|(text, oracle)| Payload { value: text.into(), oracle });
            let label = format!("{KEPT}: {}", form.name);
            let kept = payload.and_then(|p| shot(evidence, tool, tried, probe, &label, &p));
            let Some(kept) = kept else { continue };
            let label = format!("{TAKEN_UP} {} {}", kept.subject, kept.label);
            calls.push(kept);
            let last = nth + 1 == forms.len();
            let looks = lookers.iter().filter(|_| each || last).filter_map(|(t, x)| {
                Some(Call::tool(&t.name, label.clone(), x.arguments()?.clone()))
            });
            calls.extend(looks);
        }
        calls
    })
}

/// So many tools are looked at for each text that is kept.
const LOOKERS: usize = 2;
/// So few forms are each looked at by themselves.
const FEW: usize = 2;

/// Tools whose answers changed with this text, then those that are about the same things.
fn lookers<'a>(
    evidence: &'a Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
) -> Vec<(&'a Tool, &'a Exchange)> {
    let seen = flows::shown_by(evidence, tool, tried);
    let readers = flows::readers(evidence, tool).into_iter();
    let is_seen = |t: &Tool| seen.iter().any(|s| s.name == t.name);
    let mut found: Vec<_> =
        readers.filter(|(t, _)| is_seen(t) || flows::kinship(tool, t) > 0).collect();
    found.sort_by_key(|(t, _)| !is_seen(t));
    found.truncate(LOOKERS);
    found
}

/// Whether a tool still shows the word that was given before others.
fn gathers(evidence: &Evidence, tool: &Tool, tried: &Tried<'_>) -> bool {
    let word = payload(tried.word);
    let looks = evidence.of_tool(flows::PROBE.id, &tool.name);
    looks.last().is_some_and(|x| says(&x.reply, &word))
}

/// The tools that ask for something that this one is given or answers with.
fn partners<'a>(
    evidence: &'a Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
) -> Vec<(&'a Tool, String, Link)> {
    let others = evidence.tools().filter(|t| t.name != tool.name);
    let able = others.filter(|t| evidence.risk_of(&t.name) != Risk::Destroys);
    let mut able: Vec<&Tool> = able.collect();
    // Those first that read, and of these those that are about the same things.
    able.sort_by_key(|t| {
        let kin = flows::kinship(tool, t).max(flows::kinship(t, tool));
        (evidence.risk_of(&t.name), std::cmp::Reverse(kin))
    });
    able.into_iter()
        .filter_map(|partner| {
            let (parameter, link) = partner.required().find_map(|parameter| {
                Some((parameter.to_owned(), link(evidence, tool, tried, partner, parameter)?))
            })?;
            Some((partner, parameter, link))
        })
        .collect()
}

fn link(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    partner: &Tool,
    parameter: &str,
) -> Option<Link> {
    let given = |name: &str| {
        let there = tried.place.arguments.get(name).is_some_and(Value::is_string);
        there && tried.place.pointer != format!("/{name}")
    };
    if given(parameter) {
        return Some(Link::Name(parameter.to_owned()));
    }
    let things = |tool: &Tool| {
        let nouns = words(&tool.name).into_iter().filter(|w| Risk::of_word(w).is_none());
        nouns.map(|w| w.trim_end_matches('s').to_owned()).collect::<Vec<String>>()
    };
    let own = things(tool);
    let kin = things(partner).iter().any(|thing| own.contains(thing));
    // What one calls a name is a path to another that is about the same.
    const NAMES: [&str; 7] = ["name", "title", "key", "id", "path", "file", "filename"];
    let about = words(tool.description.as_deref().unwrap_or_default());
    let told = kin || things(partner).iter().any(|thing| about.contains(thing));
    if let (true, true, Some(name)) =
        (told, NAMES.contains(&parameter), NAMES.iter().find(|name| given(name)))
    {
        return Some(Link::Name((*name).to_owned()));
    }
    let answer = valid_call::working(evidence, &tool.name)?.reply.text();
    let given_as = |asked: &str| {
        let mut names = tried.place.arguments.as_object()?.iter();
        let (name, _) = names.find(|(name, v)| v.as_str() == Some(asked) && given(name))?;
        Some(name.clone())
    };
    let worked = evidence.of_tool(valid_call::PROBE.id, &partner.name);
    let mut worked = worked.filter(|x| valid_call::took(x)).filter_map(Exchange::arguments);
    let asked = |arguments: &Value| {
        let asked = text(arguments.get(parameter)?)?;
        // Where the answer repeats the name it was given, each payload gets a name of its own.
        if let Some(name) = given_as(&asked).filter(|_| kin || is_handle(&asked)) {
            return Some(Link::Name(name));
        }
        let at = tokens(&answer).position(|token| token == asked)?;
        (kin || is_handle(&asked)).then_some(Link::Answer(at))
    };
    // What is about the same and asks for a number gets the only one that the answer has.
    let only = || {
        let mut numbers = tokens(&answer).enumerate().filter(|(_, t)| t.parse::<u64>().is_ok());
        let (at, _) = numbers.next().filter(|_| kin)?;
        let (_, schema) = partner.parameters().find(|(name, _)| *name == parameter)?;
        let number = schema.get("type")?.as_str() == Some("integer");
        (number && numbers.next().is_none()).then_some(Link::Answer(at))
    };
    worked.find_map(asked).or_else(only)
}

fn keep(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    probe: &str,
    form: &Form,
    (partner, link): (&Tool, &Link),
    seed: Seed,
) -> Option<Call> {
    let name = format!("{KEPT} for {}: {}", partner.name, form.name);
    let nonce = Nonce::new(evidence, tool, &tried.place, probe, &name, seed);
    let value = Value::String(nonce.fill(form.text)?);
    let payload = Payload { value, oracle: (form.oracle)(&nonce)? };
    let mut tried = tried.clone();
    if let Link::Name(parameter) = link
        && !is_listed(evidence, tool, &tried.place.arguments[parameter])
    {
        tried.place.arguments[parameter] = Value::String(nonce.word("name"));
    }
    shot(evidence, tool, &tried, probe, &name, &payload)
}

/// Whether another tool told of this value before this one was given it: then nothing can be kept
/// under a name of ours.
fn is_listed(evidence: &Evidence, tool: &Tool, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    let mut gave = evidence.of_tool(valid_call::PROBE.id, &tool.name).filter(|x| asks(x, text));
    let first = gave.next().map(|x| x.id);
    let others = evidence.tools().filter(|t| t.name != tool.name);
    let mut answers = others.filter_map(|t| valid_call::working(evidence, &t.name));
    answers.any(|x| first.is_none_or(|id| x.id < id) && !asks(x, text) && says(&x.reply, text))
}

/// Once it is kept.
fn take_up(
    evidence: &Evidence,
    probe: &str,
    kept: &Call,
    (partner, parameter, link): (&Tool, &str, &Link),
) -> Option<Call> {
    let made = evidence.of(probe).find(|x| x.subject == kept.subject && x.label == kept.label)?;
    let known = valid_call::working(evidence, &partner.name)
        .or_else(|| valid_call::typical(evidence, &partner.name));
    let mut arguments = known?.arguments()?.clone();
    let by = match link {
        Link::Name(name) => made.arguments()?.get(name)?.clone(),
        Link::Answer(at) => like(arguments.get(parameter)?, answered(made, *at)?)?,
    };
    *arguments.get_mut(parameter)? = by;
    if let Some((name, number)) = counted(evidence, kept, made, partner)
        && name != parameter
    {
        arguments[name] = number.into();
    }
    Some(Call::tool(
        &partner.name,
        format!("{TAKEN_UP} {} {}", kept.subject, kept.label),
        arguments,
    ))
}

/// The only number that a tool is to be given, where what keeps counts: "Attachment 35 added".
fn counted<'a>(
    evidence: &Evidence,
    kept: &Call,
    made: &Exchange,
    partner: &'a Tool,
) -> Option<(&'a str, u64)> {
    let is_number = |(_, schema): &(&str, &Value)| schema.get("type") == Some(&"integer".into());
    let mut numbers = partner.parameters().filter(is_number);
    let (name, _) = numbers.next().filter(|_| numbers.next().is_none())?;
    let before = valid_call::working(evidence, kept.subject.tool()?)?.reply.text();
    let now = made.reply.text();
    let mut counts = tokens(&before).zip(tokens(&now)).filter_map(|(before, now)| {
        let (before, now) = (before.parse::<u64>().ok()?, now.parse::<u64>().ok()?);
        (before < now).then_some(now)
    });
    Some((name, counts.next().filter(|_| counts.next().is_none())?))
}

fn answered(made: &Exchange, at: usize) -> Option<String> {
    made.result()?;
    tokens(&made.reply.text()).nth(at).map(str::to_owned)
}

/// A word of an answer as a value of the same kind.
fn like(ordinary: &Value, word: String) -> Option<Value> {
    if ordinary.is_number() { serde_json::from_str(&word).ok() } else { Some(Value::String(word)) }
}

/// No word and no number: what stands in two places by chance is none.
fn is_handle(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.len() >= 4 && digits > 0 && digits < text.len()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).filter(|t| !t.is_empty())
}
