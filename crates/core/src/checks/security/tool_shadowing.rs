//! Tools that reach for those of other servers, or pass for them.

use std::collections::BTreeMap;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::proof::Proof;
use crate::response::quote;
use crate::wording::{Order, shadow, skeleton};

pub(super) const CHECK: Check = Check {
    id: "security/tool-shadowing",
    title: "Tools leave those of other servers alone",
    facet: Facet::ModelSafety,
    severity: Severity::High,
    class: Some(Class::ToolShadowing),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("tool_shadowing.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let own: Vec<String> = evidence.tools().flat_map(names).collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let mut found: BTreeMap<Subject, Order> = BTreeMap::new();
    for text in evidence.definitions() {
        let Some(order) = shadow(text.text, &own) else { continue };
        if found.get(&text.subject).is_none_or(|known| known.weight < order.weight) {
            found.insert(text.subject, order);
        }
    }
    let mut findings: Vec<Finding> =
        found.into_iter().map(|(s, order)| reaching(s, &order)).collect();
    findings.extend(twins(evidence));
    if findings.is_empty() {
        findings.push(Finding::pass(Subject::Server, "no text reaches for other servers' tools"));
    }
    findings
}

/// What this server calls its own: tools and parameters.
fn names(tool: &Tool) -> Vec<String> {
    let parameters = tool.parameters().map(|(name, _)| name.to_lowercase());
    parameters.chain([tool.name.to_lowercase()]).collect()
}

fn reaching(subject: Subject, order: &Order) -> Finding {
    let says = format!(
        "speaks of tools that are not its own ({}): \"{}\"",
        order.rule,
        quote(&order.text)
    );
    let fix = "describe this server's tools only; how tools of others are used is not for this server to say";
    let proof = Proof::Quoted { text: quote(&order.text), rule: order.rule.clone() };
    let finding = Finding::fail(subject, says, fix);
    if order.is_certain() { finding.proven(proof) } else { finding.suspected() }
}

/// Two tools whose names read the same at a glance.
fn twins(evidence: &Evidence) -> Vec<Finding> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for tool in evidence.tools() {
        let first = *seen.entry(skeleton(&tool.name)).or_insert(&tool.name);
        if first != tool.name {
            let says = format!("its name reads like that of {first}");
            let fix = "give tools names that people can tell apart";
            found.push(Finding::fail(Subject::tool_named(&tool.name), says, fix).suspected());
        }
    }
    found
}
