//! A password that one tool is given, shown by another.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::arguments::{described, places_of};
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
    let mut shown_by: BTreeMap<&str, Finding> = BTreeMap::new();
    let mut kept: BTreeMap<(&str, &str), Finding> = BTreeMap::new();
    for secret in &told {
        match shown(evidence, secret) {
            // One that shows everything is one hole.
            Some(x) => drop(shown_by.entry(tool_of(x)).or_insert_with(|| leak(secret, x))),
            None => {
                let subject = Subject::param(secret.tool, &secret.pointer);
                let clean = || Finding::pass(subject, "no other tool showed it");
                let place = (secret.tool, secret.pointer.as_str());
                kept.entry(place).or_insert_with(|| clean().seen_in(secret.by.id));
            }
        }
    }
    if shown_by.is_empty() {
        kept.into_values().collect()
    } else {
        shown_by.into_values().collect()
    }
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
            match tool.filter(|tool| is_secret(tool, &pointer)) {
                Some(tool) => found.push(Told { tool: &tool.name, pointer, text, by: x }),
                None => open.push(text),
            }
        }
    }
    found.retain(|secret| !open.iter().any(|text| text.contains(secret.text)));
    found
}

fn is_secret(tool: &Tool, pointer: &str) -> bool {
    const WORDS: &str = "passphrase passwd password pin pwd secret";
    let name = pointer.rsplit('/').next().unwrap_or_default();
    let own = words(name);
    let key = |first: &str, second: &str| own.windows(2).any(|w| w[0] == first && w[1] == second);
    // "Keeps a private value. It is not shown again." Of several, the sentence tells which it is about.
    let of_tool = tool.description.as_deref().unwrap_or_default().to_lowercase();
    let named = |text: &str| {
        let said = words(text);
        let about = |name: &str| words(name).iter().any(|word| said.contains(word));
        about(name) || tool.parameters().count() == 1
    };
    let told: Vec<&str> = of_tool.split_inclusive(['.', '!', '\n']).filter(|s| named(s)).collect();
    let said = format!("{} {}", described(tool, pointer).to_lowercase(), told.concat());
    let confided = [
        "confidential",
        "kept private",
        "kept secret",
        "never displayed",
        "never given to",
        "never passed on",
        "never shown",
        "not given to anyone",
        "not passed on",
        "not shared",
        "not shown",
        "shown nowhere",
        "shown to nobody",
        "shown to no one",
    ];
    let confided = confided.iter().any(|words| said.contains(words));
    confided
        || holds(&own, WORDS)
        || key("api", "key")
        || key("access", "token")
        || key("private", "key")
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

fn leak(secret: &Told<'_>, x: &Exchange) -> Finding {
    let says = format!("shows what `{}` was given in confidence", secret.tool);
    let fix = "keep secrets out of logs, histories and records that other tools show; mask them before they are written anywhere";
    let rule = format!("given as {} to {}", secret.pointer, secret.tool);
    let proof = Proof::Quoted { text: mask(secret.text), rule };
    let subject = Subject::tool_named(tool_of(x));
    Finding::fail(subject, says, fix).proven(proof).seen_in(x.id).seen_in(secret.by.id)
}
