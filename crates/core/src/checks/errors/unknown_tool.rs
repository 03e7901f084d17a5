//! A call of a tool that does not exist.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::Evidence;
use crate::probes::unknown_tool::PROBE;
use crate::response::{Mistake, protocol_refusals};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/unknown-tool",
    title: "A call of an unknown tool is refused",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-20")],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("unknown_tool.md"),
    judge,
};

const FIX: &str = "answer `tools/call` for a name that is not in `tools/list` with the JSON-RPC error -32602 and a message that names the tool";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    protocol_refusals(evidence, PROBE.id, Mistake::UnknownTool, FIX)
}
