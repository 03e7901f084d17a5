//! Keys, tokens and private keys in answers that nobody asked a secret of.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::attack::TAKEN_UP;
use crate::attack::stand::members;
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{CanaryPlace, Evidence, Exchange, ExchangeId, Subject};
use crate::probes::wrong_input::{MISSING_REQUIRED, WRONG_TYPE};
use crate::probes::{resource_read, valid_call};
use crate::promise::mentions;
use crate::proof::{Proof, asks, came_back};
use crate::spec::calls::tool_of;
use crate::wording::{Said, Secret, Strength, heard, mask, named_secret, said, secrets, speaker};

pub(super) const CHECK: Check = Check {
    id: "security/secrets-in-answers",
    title: "Answers hold no secrets",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::SecretLeak),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &WRONG_TYPE, &MISSING_REQUIRED, &resource_read::PROBE],
    page: include_str!("secrets_in_answers.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let texts = match heard(evidence, said) {
        Ok(texts) => texts,
        Err(unseen) => return unseen,
    };
    let mut leaks: BTreeMap<Subject, (&Said<'_>, Secret)> = BTreeMap::new();
    for text in &texts {
        let mut found = secrets(&text.text).into_iter();
        let Some(secret) = found.find(|s| !text.is_ours(evidence, &s.text)) else { continue };
        let known = leaks.get(&text.subject);
        if known.is_none_or(|(_, s)| s.strength < secret.strength) {
            leaks.insert(text.subject.clone(), (text, secret));
        }
    }
    let mut findings: Vec<Finding> = planted(evidence);
    let told = named(evidence, &texts);
    findings.extend(told.into_iter().filter(|f| leaks.get(&f.subject).is_none_or(is_doubtful)));
    leaks.retain(|subject, _| findings.iter().all(|f| f.subject != *subject));
    findings.extend(leaks.into_values().map(|(text, secret)| leak(evidence, text, &secret)));
    findings.extend(in_logs(evidence));
    let clean = || Finding::pass(Subject::Server, "no secret in any answer");
    if findings.is_empty() { vec![clean()] } else { findings }
}

fn is_doubtful((_, secret): &(&Said<'_>, Secret)) -> bool {
    secret.strength == Strength::Weak
}

/// Members of records that are called a key or a password, with a value that may be one.
fn named(evidence: &Evidence, texts: &[Said<'_>]) -> Vec<Finding> {
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    let mut read: BTreeSet<ExchangeId> = BTreeSet::new();
    for text in texts.iter().filter(|t| !found_in(&t.text)) {
        let x = text.exchange;
        if found.contains_key(&text.subject) || !read.insert(x.id) || is_asked_for(evidence, x) {
            continue;
        }
        let members = members(&x.reply);
        let secrets = members.iter().filter_map(|(name, value)| named_secret(name, value));
        let secret = secrets.into_iter().find(|(_, value)| !text.is_ours(evidence, value));
        if let Some((name, value)) = secret {
            let masked = mask(value);
            let says = format!("an answer holds a secret (`{name}`): {masked}");
            let proof = Proof::Quoted { text: masked, rule: format!("the value of `{name}`") };
            let finding = Finding::fail(text.subject.clone(), says, FIX).proven(proof);
            found.insert(text.subject.clone(), finding.seen_in(x.id));
        }
    }
    found.into_values().collect()
}

/// Texts in which a secret is known by its shape are told of by that.
fn found_in(text: &str) -> bool {
    secrets(text).iter().any(|s| s.strength > Strength::Weak)
}

const FIX: &str = "revoke the secret, and keep keys and connection strings out of results and messages; mask them where one must be named";

fn leak(evidence: &Evidence, text: &Said<'_>, secret: &Secret) -> Finding {
    let masked = mask(&secret.text);
    let says = format!("an answer holds a secret ({}): {masked}", secret.kind);
    let finding = Finding::fail(text.subject.clone(), says, FIX).seen_in(text.exchange.id);
    let sure = match secret.strength {
        Strength::Certain => true,
        // Handing out a token is what signing in is for.
        Strength::Likely => secret.kind != "JSON web token" && secret.kind != "AWS key id",
        Strength::Weak => false,
    };
    if sure && !is_asked_for(evidence, text.exchange) {
        let rule = format!("shape: {}", secret.kind);
        finding.proven(Proof::Quoted { text: masked, rule })
    } else {
        finding.suspected()
    }
}

/// Files that we planted where a server has no business, from calls that did not ask for them. What
/// hostile calls bring to light is another hole.
fn planted(evidence: &Evidence) -> Vec<Finding> {
    let mut found: BTreeMap<Subject, Finding> = BTreeMap::new();
    let ordinary =
        |x: &&Exchange| x.oracle.is_none() && x.control.is_none() && !x.label.starts_with(TAKEN_UP);
    for x in evidence.transcript.iter().filter(ordinary) {
        let leaked = evidence.conditions.canaries.iter().find_map(|c| match &c.place {
            CanaryPlace::Outside { path } => {
                let file = path.rsplit('/').next().unwrap_or(path);
                (came_back(evidence, x, &c.value) && !asks(x, file)).then_some((c, path))
            }
            CanaryPlace::Inside { .. } | CanaryPlace::Env { .. } => None,
        });
        if let Some((canary, path)) = leaked {
            let subject = speaker(evidence, x).unwrap_or_else(|| x.subject.clone());
            let says = format!("an answer holds what is in {path}, which nobody asked for");
            let proof = Proof::PlantedContent { canary: canary.id.clone() };
            let finding = Finding::fail(subject.clone(), says, FIX).proven(proof).seen_in(x.id);
            found.entry(subject).or_insert(finding);
        }
    }
    found.into_values().collect()
}

/// Tools about keys hand out keys, and what a caller names is the caller's, not the server's.
fn is_asked_for(evidence: &Evidence, x: &Exchange) -> bool {
    const WORDS: &str = "
        auth authenticate certificate credential credentials decrypt env environment generate
        jwt key keypair keys login oauth password passwords secret secrets sign
        ssh token tokens vault";
    let about = evidence.tool(tool_of(x));
    let names_content =
        |v: &Value| v.as_str().is_some_and(|s| s.starts_with(['/', '.', '~']) || s.contains("://"));
    let named =
        x.arguments().and_then(Value::as_object).is_some_and(|a| a.values().any(names_content));
    named || about.is_some_and(|tool| mentions(tool, WORDS))
}

/// Log messages go to the client; stderr to whoever keeps the logs.
fn in_logs(evidence: &Evidence) -> Option<Finding> {
    let messages = evidence.incoming.iter().filter(|i| i.method == "notifications/message");
    let logged = messages.filter_map(|i| i.params.as_ref()).map(ToString::to_string);
    let ours = |s: &Secret| evidence.transcript.iter().any(|x| asks(x, &s.text));
    let sure = |s: &Secret| s.strength > Strength::Weak && !ours(s);
    let mut lines = logged.chain(evidence.stderr.iter().cloned());
    let secret = lines.find_map(|line| secrets(&line).into_iter().find(sure))?;
    let says = format!("the log holds a secret ({}): {}", secret.kind, mask(&secret.text));
    Some(Finding::fail(Subject::Server, says, FIX).suspected())
}
