//! Tools that the source registers and the server does not offer, and the reverse.

use std::collections::BTreeSet;

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, Subject};

pub(super) const CHECK: Check = Check {
    id: "functionality/registered-tools-offered",
    title: "What the source registers is what the server offers",
    facet: Facet::SourceCode,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("registered_tools_offered.md"),
    judge,
};

const FIX: &str =
    "offer the tool, or say in the README what switches it on; remove it if it is dead";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let why = coded::code(evidence).err().or_else(|| evidence.why_no_tools());
    let (None, Ok(code)) = (why.as_ref(), coded::code(evidence)) else {
        return vec![Finding::unseen(Subject::Server, why.unwrap_or_default())];
    };
    let offered: BTreeSet<&str> =
        evidence.inventory.tools.iter().map(|t| t.name.as_str()).collect();
    // A source that shares no name with the server registers in a way that we can't read.
    if !code.tools.iter().any(|t| offered.contains(t.name.as_str())) {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let first = code.tools.iter().filter(|t| seen.insert(t.name.as_str()));
    first
        .map(|tool| {
            let subject = Subject::tool_named(&tool.name);
            match offered.contains(tool.name.as_str()) {
                true => Finding::pass(subject, format!("registered at {}", tool.at)).at(&tool.at),
                false => {
                    Finding::fail(subject, format!("registered at {}, not offered", tool.at), FIX)
                        .at(&tool.at)
                        .suspected()
                }
            }
        })
        .collect()
}
