//! Asks the server itself what an argument may be, where it offers completion.

use serde_json::{Value, json};

use crate::evidence::{Evidence, Profile, Subject};
use crate::probe::{Call, Send};

/// Arguments asked about for one prompt or template.
const MOST: usize = 4;

/// The questions that have not been asked yet.
pub(super) fn asks<'a>(
    evidence: &Evidence,
    probe: &str,
    subject: &Subject,
    reference: &Value,
    names: impl Iterator<Item = &'a str>,
) -> Vec<Call> {
    let offers = |h: &crate::evidence::Handshake| h.capabilities.get("completions").is_some();
    let quick = match evidence.conditions.profile {
        Profile::Quick => true,
        Profile::Standard | Profile::Deep => false,
    };
    if quick || !evidence.handshake.as_ref().is_some_and(offers) {
        return Vec::new();
    }
    let unasked = |name: &&str| {
        let label = label(name);
        !evidence.of(probe).any(|x| x.subject == *subject && x.label == label)
    };
    names
        .take(MOST)
        .filter(unasked)
        .map(|name| {
            let params = json!({"ref": reference, "argument": {"name": name, "value": ""}});
            let send = Send::request("completion/complete", Some(params));
            Call::new(subject.clone(), label(name), send)
        })
        .collect()
}

/// The first value that the server offered for an argument.
pub(super) fn offered(
    evidence: &Evidence,
    probe: &str,
    subject: &Subject,
    name: &str,
) -> Option<String> {
    let label = label(name);
    let asked = evidence.of(probe).find(|x| x.subject == *subject && x.label == label)?;
    let first = asked.result()?.pointer("/completion/values/0")?;
    first.as_str().filter(|s| !s.is_empty()).map(str::to_owned)
}

/// Whether answers that could be used are still to come: ordinary calls, or our own questions.
pub(super) fn is_pending(evidence: &Evidence, probe: &str) -> bool {
    let planned = [probe, super::valid_call::PROBE.id];
    evidence
        .transcript
        .iter()
        .filter(|x| planned.contains(&x.probe.as_str()))
        .any(|x| x.reply.is_pending())
}

fn label(name: &str) -> String {
    format!("complete {name}")
}
