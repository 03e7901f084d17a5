//! Completion: its limits, its refusals, and what it must not tell.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probe::words;
use crate::probes::features::{self, COMPLETE, CONTEXT};
use crate::probes::refusals::{self, PREFIX, REFERENCE, ROOT, UNNAMED};
use crate::probes::revisions;
use crate::response::quote;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/completion",
    title: "Completion keeps its limits and refuses what it does not know",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[
        rule("COMP-02", limits),
        rule("COMP-03", refusals),
        rule("COMP-04", context),
        rule("COMP-05", discreet),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &features::PROBE, &refusals::PROBE],
    page: include_str!("completion.md"),
    judge: by_rules,
};

fn limits(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send at most 100 strings as `values`, `total` as a number, `hasMore` as a boolean";
    let rulings = talk
        .exchanges()
        .filter(|x| x.send.method() == Some("completion/complete"))
        .filter_map(|x| {
            let ruling = match flaw(x.result()?) {
                None => Ruling::pass("completions keep the limits"),
                Some(flaw) => Ruling::fail(flaw, fix),
            };
            Some(ruling.seen_in(x.id))
        });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("nothing was completed"))
}

fn flaw(result: &Value) -> Option<String> {
    let completion = result.get("completion");
    let Some(values) = completion.and_then(|c| c.get("values")?.as_array()) else {
        return Some("`completion.values` is not an array".to_owned());
    };
    let odd = |key: &str, fits: fn(&Value) -> bool| {
        completion.and_then(|c| c.get(key)).is_some_and(|v| !fits(v))
    };
    if values.len() > 100 {
        Some(format!("{} values at once", values.len()))
    } else if values.iter().any(|v| !v.is_string()) {
        Some("a value is not a string".to_owned())
    } else if odd("total", Value::is_number) {
        Some("`total` is not a number".to_owned())
    } else {
        odd("hasMore", Value::is_boolean).then(|| "`hasMore` is not a boolean".to_owned())
    }
}

fn refusals(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    if !talk.declares("completions") {
        let x = talk.put(features::PROBE.id, COMPLETE)?;
        let says = format!("`completions` is not declared: {}", talk.shown(x));
        let fix = "answer completion/complete with -32601 where it is not offered";
        return Ok(match *x.reply {
            Reply::Error { code: -32601, .. } => Ruling::pass(says),
            Reply::Error { .. } => Ruling::partial(says, fix),
            Reply::Result { .. } | Reply::Malformed { .. } | Reply::Silence => {
                Ruling::fail(says, fix)
            }
            Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
                Ruling::unseen(says)
            }
        }
        .seen_in(x.id));
    }
    let asked = [REFERENCE, UNNAMED].iter().filter_map(|w| talk.put(refusals::PROBE.id, w).ok());
    let rulings: Vec<Ruling> = asked.map(|x| talk.answered(row, x)).collect();
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no bad completion was asked for"))
}

fn context(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.needs("completions")?;
    let (plain, x) =
        (talk.put(features::PROBE.id, COMPLETE)?, talk.put(features::PROBE.id, CONTEXT)?);
    if plain.result().is_none() {
        return Err(Ruling::not_testable("nothing was completed"));
    }
    let fix = "accept `context.arguments` in completion/complete";
    Ok(match x.result() {
        Some(_) => Ruling::pass("a context is accepted"),
        None => Ruling::fail(format!("completion with a context: {}", talk.shown(x)), fix),
    }
    .seen_in(x.id))
}

fn discreet(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "complete only what the client may know";
    let asked = [PREFIX, ROOT].iter().filter_map(|what| talk.put(refusals::PROBE.id, what).ok());
    let rulings = asked.map(|x| {
        let said = x.result().map_or_else(|| x.reply.text(), ToString::to_string);
        let leaks = talk.evidence.conditions.canaries.iter().any(|c| said.contains(&c.value));
        match (leaks, foreign(talk, x)) {
            (true, _) => Ruling::fail("completing a path tells what is ours", fix),
            (false, Some(file)) => {
                Ruling::fail(format!("{}: {} is offered", talk.name(x), quote(file)), fix)
            }
            (false, None) => Ruling::pass("completing a path tells nothing of ours"),
        }
        .seen_in(x.id)
    });
    Ruling::worst(rulings)
        .ok_or_else(|| Ruling::not_testable("there is nothing to complete a path in"))
}

/// Where only the machine itself keeps files.
const SYSTEM: [&str; 4] = ["/etc/", "/proc/", "/root/", "/boot/"];

/// A file of the machine that is offered for an argument that is not about files.
fn foreign<'a>(talk: &Conversation<'_>, x: &'a Exchange) -> Option<&'a str> {
    let asked = x.send.params()?.pointer("/argument/name")?.as_str()?;
    let mut arguments = talk
        .evidence
        .inventory
        .prompts
        .iter()
        .flat_map(|p| p.raw.get("arguments").and_then(Value::as_array).into_iter().flatten());
    let of_files = |a: &Value| {
        let all = words(&a.to_string());
        all.iter().any(|w| ["path", "file", "folder", "directory", "dir"].contains(&w.as_str()))
    };
    if arguments.any(|a| a["name"] == asked && of_files(a)) {
        return None;
    }
    let values = x.result()?.pointer("/completion/values")?.as_array()?;
    let file = |v: &&str| SYSTEM.iter().any(|place| v.starts_with(place));
    values.iter().filter_map(Value::as_str).find(file)
}
