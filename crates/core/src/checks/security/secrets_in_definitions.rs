//! Keys and tokens in what the server tells everybody.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::pattern;
use crate::proof::Proof;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/secrets-in-definitions",
    title: "Definitions hold no secrets",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::SecretLeak),
    requirements: &[served("SEC-08")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("secrets_in_definitions.md"),
    judge,
};

/// The issuer, and the shape with the random part as group 1.
const SHAPES: &[(&str, &str)] = &[
    ("OpenAI or Anthropic key", r"\bsk-(?:[a-z]+\d*-)*([A-Za-z0-9_]{20,})"),
    ("Stripe live key", r"\b[rs]k_live_([A-Za-z0-9]{20,})"),
    ("GitHub token", r"\bgh[pousr]_([A-Za-z0-9]{36,})"),
    ("GitHub token", r"\bgithub_pat_([A-Za-z0-9_]{50,})"),
    ("GitLab token", r"\bglpat-([A-Za-z0-9_-]{20,})"),
    ("Slack token", r"\bxox[abprs]-([A-Za-z0-9-]{20,})"),
    ("AWS key id", r"\bA[KS]IA([0-9A-Z]{16})\b"),
    ("Google API key", r"\bAIza([0-9A-Za-z_-]{35})"),
    ("npm token", r"\bnpm_([A-Za-z0-9]{36})\b"),
    ("PyPI token", r"\bpypi-([A-Za-z0-9_-]{50,})"),
    ("Hugging Face token", r"\bhf_([A-Za-z0-9]{30,})"),
    ("JSON web token", r"\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.([\w-]{20,})"),
    ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]{64,})"),
];

static PATTERNS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    SHAPES.iter().filter_map(|(name, shape)| Some((*name, pattern::ascii(shape).ok()?))).collect()
});

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let texts = evidence.definitions();
    let mut leaks: BTreeMap<Subject, Finding> = BTreeMap::new();
    for text in &texts {
        if let Some((issuer, masked)) = secret(text.text) {
            let says = format!("{} holds a secret ({issuer}): {masked}", text.pointer);
            let fix = "revoke the secret now, then read it from the environment; write a placeholder such as `YOUR_API_KEY`";
            let proof = Proof::Quoted { text: masked, rule: format!("shape: {issuer}") };
            leaks
                .entry(text.subject.clone())
                .or_insert_with(|| Finding::fail(text.subject.clone(), says, fix).proven(proof));
        }
    }
    if leaks.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("no secret in {} texts", texts.len()))];
    }
    leaks.into_values().collect()
}

fn secret(text: &str) -> Option<(&'static str, String)> {
    PATTERNS.iter().find_map(|(issuer, pattern)| {
        pattern.captures_iter(text).find_map(|found| {
            let (whole, random) = (found.get(0)?.as_str(), found.get(1)?.as_str());
            (!is_placeholder(whole) && is_random(random)).then(|| (*issuer, mask(whole)))
        })
    })
}

fn is_placeholder(text: &str) -> bool {
    const SIGNS: &[&str] = &[
        "example",
        "your",
        "xxxx",
        "placeholder",
        "dummy",
        "redacted",
        "sample",
        "secret",
        "12345",
        "abcde",
        "change",
        "insert",
        "token_here",
    ];
    let lower = text.to_lowercase();
    SIGNS.iter().any(|sign| lower.contains(sign))
}

/// Shannon entropy per character, corrected for short texts, and both letters and digits.
fn is_random(text: &str) -> bool {
    let mut counts: BTreeMap<char, f64> = BTreeMap::new();
    text.chars().for_each(|c| *counts.entry(c).or_default() += 1.0);
    let total = text.chars().count() as f64;
    let entropy: f64 = counts.values().map(|n| -(n / total) * (n / total).log2()).sum();
    let mixed = text.contains(|c: char| c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_alphabetic());
    mixed && entropy >= total.log2().min(5.0) * 0.7
}

fn mask(secret: &str) -> String {
    let shown: String = secret.chars().take(7).collect();
    format!("{shown}… ({} characters)", secret.chars().count())
}
