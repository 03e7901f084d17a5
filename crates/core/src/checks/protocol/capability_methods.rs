//! Whether what is declared works, and what works is declared.

use serde_json::{Value, json};

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Evidence, Exchange, Reply};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::revisions;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/capability-methods",
    title: "What works is declared, and what is declared works",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("LIFE-08", declared), rule("LIFE-09", there), rule("RPC-09", refused)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("capability_methods.md"),
    judge: by_rules,
};

pub(super) const PROBE: Probe =
    Probe { id: "capability-methods", hostile: false, lane: Lane::Shared, plan };
const NOT_FOUND: i64 = -32601;

/// A capability, a method it stands for, and the field of the answer that is empty without it.
const METHODS: [(&str, &str, &str); 6] = [
    ("tools", "tools/list", "/tools"),
    ("prompts", "prompts/list", "/prompts"),
    ("resources", "resources/list", "/resources"),
    ("resources", "resources/templates/list", "/resourceTemplates"),
    ("completions", "completion/complete", "/completion/values"),
    ("logging", "logging/setLevel", ""),
];

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    sides::on_each(evidence, |revision| {
        let methods = METHODS.iter().filter(|(capability, ..)| exists(capability, revision));
        methods.map(|(_, method, _)| (*method, Send::request(method, params(method)))).collect()
    })
}

/// Completions had no capability at first; logging has no method any more.
fn exists(capability: &str, revision: Revision) -> bool {
    match capability {
        "completions" => revision > Revision::V2024_11_05,
        "logging" => !revision.is_stateless(),
        _ => true,
    }
}

fn params(method: &str) -> Option<Value> {
    match method {
        "logging/setLevel" => Some(json!({"level": "info"})),
        "completion/complete" => Some(json!({
            "ref": {"type": "ref/prompt", "name": "proofmark"},
            "argument": {"name": "proofmark", "value": ""},
        })),
        _ => None,
    }
}

/// The worst ruling over the methods whose capability is declared, or is not.
fn over(
    talk: &Conversation<'_>,
    declared: bool,
    judge: impl Fn(&Exchange, &str) -> Ruling,
) -> Option<Ruling> {
    let asked = METHODS.iter().filter(|(capability, ..)| {
        exists(capability, talk.revision) && talk.declares(capability) == declared
    });
    let rulings = asked.map(|(_, method, field)| match talk.put(PROBE.id, method) {
        Ok(x) => judge(x, field),
        Err(ruling) => ruling,
    });
    Ruling::worst(rulings)
}

fn declared(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "declare in the handshake what you offer";
    over(talk, false, |x, field| {
        let says = format!("{} is not declared: {}", talk.name(x), talk.shown(x));
        let items = |r: &'_ Value| r.pointer(field).and_then(Value::as_array).map(Vec::len);
        match x.result().map(items) {
            None => talk.survived(x),
            // An empty list offers nothing.
            Some(Some(0)) => Ruling::partial(says, fix).seen_in(x.id),
            Some(Some(_)) => Ruling::fail(says, fix).seen_in(x.id),
            // Taking an order is all that a method without an answer can do.
            Some(None) if field.is_empty() => Ruling::fail(says, fix).seen_in(x.id),
            Some(None) => Ruling::partial(says, fix).seen_in(x.id),
        }
    })
    .ok_or_else(|| Ruling::pass("all there is is declared"))
}

fn there(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "answer every method of a declared capability, or do not declare it";
    over(talk, true, |x, _| {
        let says = format!("{} is declared: {}", talk.name(x), talk.shown(x));
        match &*x.reply {
            Reply::Error { code: NOT_FOUND, .. } => Ruling::fail(says, fix).seen_in(x.id),
            Reply::Result { .. } | Reply::Error { .. } => Ruling::pass(says).seen_in(x.id),
            Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. } => Ruling::unseen(says).seen_in(x.id),
        }
    })
    .ok_or_else(|| Ruling::not_testable("nothing is declared"))
}

fn refused(talk: &Conversation<'_>, row: &Requirement) -> Judgement {
    over(talk, false, |x, _| talk.answered(row, x))
        .ok_or_else(|| Ruling::not_testable("everything is declared"))
}
