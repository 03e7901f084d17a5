//! Whether a stateless server does what it advertises, and no more.

use serde_json::Value;

use super::capability_methods;
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Reply;
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/stateless-capabilities",
    title: "Advertised capabilities are what the methods do",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[rule("LIFE-25", as_declared)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &capability_methods::PROBE],
    page: include_str!("stateless_capabilities.md"),
    judge: by_rules,
};

const METHODS: [(&str, &str); 5] = [
    ("tools", "tools/list"),
    ("resources", "resources/list"),
    ("resources", "resources/templates/list"),
    ("prompts", "prompts/list"),
    ("completions", "completion/complete"),
];

fn as_declared(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = METHODS.iter().flat_map(|(capability, method)| {
        let declared = talk.declares(capability);
        let asked = talk.exchanges().filter(|x| x.send.method() == Some(method));
        asked.filter(|x| x.arguments().is_none() && x.send.params().is_none_or(no_cursor)).map(
            move |x| {
                let says = format!("{method}: {}", talk.shown(x));
                match (&*x.reply, declared) {
                    (Reply::Result { .. }, true) | (Reply::Error { .. }, false) => {
                        Ruling::pass(says)
                    }
                    (Reply::Result { .. }, false) => Ruling::fail(
                        format!("{says}, although not declared"),
                        "declare what you offer",
                    ),
                    (Reply::Error { code: -32601, .. }, true) => {
                        Ruling::fail(format!("{says}, although declared"), "serve what you declare")
                    }
                    // What was to be completed may not be there.
                    (Reply::Error { .. }, true) if *capability == "completions" => {
                        Ruling::pass(says)
                    }
                    _ => Ruling::unseen(says),
                }
                .seen_in(x.id)
            },
        )
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no list was asked for"))
}

fn no_cursor(params: &Value) -> bool {
    params.get("cursor").is_none()
}
