//! Legal but unusual values get an answer or a clean error.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity, per_tool};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::{edge_values, valid_call};
use crate::response::Trip;

pub(super) const CHECK: Check = Check {
    id: "functionality/edge-values-handled",
    title: "Unusual values are handled",
    facet: Facet::ScenarioCoverage,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &edge_values::PROBE],
    page: include_str!("edge_values_handled.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    per_tool(evidence, verdict)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&tool.name);
    let calls: Vec<&Exchange> = evidence.of_tool(edge_values::PROBE.id, &tool.name).collect();
    let Some(first) = calls.first() else {
        // Without a parameter to vary there is nothing to judge.
        edge_values::parameter(tool)?;
        let tried = valid_call::succeeded(evidence, &tool.name);
        let why = "not tried: the typical call did not succeed";
        return (!tried).then(|| Finding::unseen(subject, why));
    };
    let handled: Vec<(&Exchange, Trip)> =
        calls.iter().map(|x| (*x, Trip::of(evidence, x))).collect();
    let seen = handled.iter().filter(|(_, r)| !matches!(r, Trip::Unseen(_))).count();
    if let (0, (x, Trip::Unseen(why))) = (seen, &handled[0]) {
        return Some(Finding::unseen(subject, why).seen_in(x.id));
    }
    let bad: Vec<(&Exchange, &String)> = handled
        .iter()
        .filter_map(|(x, r)| match r {
            Trip::Bad(why) => Some((*x, why)),
            Trip::Handled(_) | Trip::Unseen(_) => None,
        })
        .collect();
    let Some((x, why)) = bad.first() else {
        let says = format!("{seen} unusual values are answered or cleanly refused");
        return Some(Finding::pass(subject, says).seen_in(first.id));
    };
    let grade = Grade::share(seen - bad.len(), seen);
    let says = format!("{} of {seen} unusual values trip it; {}: {why}", bad.len(), x.label);
    let fix = "handle the value, or refuse it with `isError: true` and a sentence that names it";
    Some(Finding::partial(subject, grade, says, fix).seen_in(x.id))
}
