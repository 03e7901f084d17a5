//! A password that one tool is given, shown by another.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::arguments::places_of;
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probe::words;
use crate::probes::{aftermath, flows, valid_call};
use crate::promise::{holds, mentions};
use crate::proof::{Proof, asks, says};
use crate::spec::calls::tool_of;
use crate::spec::served;
use crate::wording::mask;

pub(super) const CHECK: Check = Check {
    id: "security/secret-shown-elsewhere",
    title: "What one tool is told in confidence no other one shows",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::CrossToolExfiltration),
    requirements: &[served("SEC-07")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &flows::PROBE, &aftermath::PROBE],
    page: include_str!("secret_shown_elsewhere.md"),
    judge,
};

/// Shorter values stand somewhere by chance.
const LEAST: usize = 8;

/// A secret, and who was given it where.
struct Told<'a> {
    tool: &'a str,
    pointer: String,
    text: &'a str,
    by: &'a Exchange,
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let told = told(evidence);
    let mut by_place: BTreeMap<(&str, &str), Finding> = BTreeMap::new();
    for secret in &told {
        let place = (secret.tool, secret.pointer.as_str());
        let known = by_place.get(&place).is_some_and(|f| f.proof.is_some());
        let shown = if known { None } else { shown(evidence, secret) };
        let subject = || Subject::param(secret.tool, &secret.pointer);
        match shown {
            Some(x) => drop(by_place.insert(place, leak(subject(), secret, x))),
            None => {
                let clean = || Finding::pass(subject(), "no other tool showed it");
                by_place.entry(place).or_insert_with(|| clean().seen_in(secret.by.id));
            }
        }
    }
    by_place.into_values().collect()
}

/// What tools were given under the name of a secret, and under no other name.
fn told(evidence: &Evidence) -> Vec<Told<'_>> {
    let mut found: Vec<Told<'_>> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let took = evidence.transcript.iter().filter(|x| x.oracle.is_none() && x.result().is_some());
    for x in took {
        let Some(arguments) = x.arguments() else { continue };
        for pointer in places_of(arguments) {
            let text = arguments.pointer(&pointer).and_then(Value::as_str);
            let Some(text) = text.filter(|text| text.len() >= LEAST) else { continue };
            let tool = evidence.tool(tool_of(x)).filter(|tool| !keeps_secrets(tool));
            match tool.filter(|_| is_secret(&pointer)) {
                Some(tool) => found.push(Told { tool: &tool.name, pointer, text, by: x }),
                None => open.push(text),
            }
        }
    }
    found.retain(|secret| !open.iter().any(|text| text.contains(secret.text)));
    found
}

fn is_secret(pointer: &str) -> bool {
    const WORDS: &str = "passphrase passwd password pin pwd secret";
    let name = pointer.rsplit('/').next().unwrap_or_default();
    let words = words(name);
    let key = |first: &str, second: &str| words.windows(2).any(|w| w[0] == first && w[1] == second);
    holds(&words, WORDS) || key("api", "key") || key("access", "token") || key("private", "key")
}

/// Tools whose work it is to keep secrets give them back.
fn keeps_secrets(tool: &Tool) -> bool {
    mentions(tool, "credential credentials vault keychain keyring passwords secrets")
}

/// An answer of another tool that shows it without having been told.
fn shown<'a>(evidence: &'a Evidence, secret: &Told<'_>) -> Option<&'a Exchange> {
    let other = |x: &&Exchange| {
        let tool = evidence.tool(tool_of(x)).filter(|tool| tool.name != secret.tool);
        x.id > secret.by.id && tool.is_some_and(|tool| !keeps_secrets(tool))
    };
    let mut others = evidence.transcript.iter().filter(other);
    others.find(|x| says(&x.reply, secret.text) && !asks(x, secret.text))
}

fn leak(subject: Subject, secret: &Told<'_>, x: &Exchange) -> Finding {
    let says = format!("`{}` shows what this one was given in confidence", tool_of(x));
    let fix = "keep secrets out of logs, histories and records that other tools show; mask them before they are written anywhere";
    let rule = format!("given as {} to {}", secret.pointer, secret.tool);
    let proof = Proof::Quoted { text: mask(secret.text), rule };
    Finding::fail(subject, says, fix).proven(proof).seen_in(x.id).seen_in(secret.by.id)
}
