//! What the list of tools costs on every turn.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/token-cost",
    title: "The list of tools leaves room for the work",
    facet: Facet::Practice,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("token_cost.md"),
    judge,
};

/// The context of a large model.
const CONTEXT: u32 = 200_000;
/// A twentieth of it for one server is dear, a tenth too much.
const DEAR: u32 = CONTEXT / 20;
const TOO_MUCH: u32 = CONTEXT / 10;
/// One tool should not cost more.
const ONE_TOOL: u32 = 2_000;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    if evidence.tools().next().is_none() {
        return Vec::new();
    }
    let mut costs: Vec<(u32, &str)> = Vec::new();
    for tool in evidence.tools() {
        let Some(tokens) = tool.tokens else {
            let why = "nobody counted tokens when this evidence was gathered; gather it anew";
            return vec![Finding::unseen(Subject::Server, why)];
        };
        costs.push((tokens, &tool.name));
    }
    costs.sort_by(|a, b| b.cmp(a));
    let total = costs.iter().fold(0u32, |sum, (tokens, _)| sum.saturating_add(*tokens));
    let share = f64::from(total) * 100.0 / f64::from(CONTEXT);
    let (n, most) = (costs.len(), costs.first().map_or(0, |(tokens, _)| *tokens));
    let heavy: Vec<String> = costs.iter().take(3).map(|(t, name)| format!("{name} {t}")).collect();
    let says = format!(
        "{total} tokens for {n} tools, {share:.1} % of {CONTEXT}; most: {}",
        quote(&heavy.join(", "))
    );
    let grade = match total {
        0..DEAR if most <= ONE_TOOL => Grade::PASS,
        0..DEAR => Grade::new(0.75),
        DEAR..TOO_MUCH => Grade::new(0.5),
        TOO_MUCH.. => Grade::FAIL,
    };
    let fix = "shorten the largest definitions, offer tools in groups that can be switched off, and move manuals into resources";
    let finding = if grade.is_pass() {
        Finding::pass(Subject::Server, says)
    } else {
        Finding::partial(Subject::Server, grade, says, fix)
    };
    vec![finding.measured(f64::from(total), "tokens")]
}
