//! A list is no longer than the limit that was asked for.

use crate::check::{Check, Facet, Finding, Revisions, Severity, per_tool};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probes::{limits, valid_call};
use crate::response::{Answer, is_accepted, item_count};

pub(super) const CHECK: Check = Check {
    id: "functionality/limit-honoured",
    title: "Limits are honoured",
    facet: Facet::ScenarioCoverage,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &limits::PROBE],
    page: include_str!("limit_honoured.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    per_tool(evidence, verdict)
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Option<Finding> {
    let (name, _) = limits::parameter(tool)?;
    let labelled =
        |label: &str| evidence.of_tool(limits::PROBE.id, &tool.name).find(|x| x.label == label);
    let (small, large) = (labelled(limits::SMALL)?, labelled(limits::LARGE)?);
    let subject = small.subject.clone();
    for x in [small, large] {
        if let Answer::Unseen(why) = Answer::of(evidence, x) {
            return Some(Finding::unseen(subject, why).seen_in(x.id));
        }
    }
    let (Some(few), Some(many)) = (counted(evidence, small), counted(evidence, large)) else {
        return None;
    };
    let limit = small.arguments()?.get(name)?.as_u64().and_then(|n| usize::try_from(n).ok())?;
    let finding = match () {
        () if many <= limit => return None,
        () if few <= limit => {
            Finding::pass(subject, format!("`{name}` {limit} gets {few} of at least {many}"))
        }
        // Fewer, yet more than asked for: perhaps we count something else than the server does.
        () if few < many => {
            let why = format!("{few} things counted for `{name}` {limit}, {many} for more");
            Finding::unseen(subject, why)
        }
        () => Finding::fail(
            subject,
            format!("`{name}` {limit} gets {few} items, as many as without a tight limit"),
            format!("return at most as many items as `{name}` says"),
        ),
    };
    Some(finding.seen_in(small.id).seen_in(large.id))
}

fn counted(evidence: &Evidence, exchange: &Exchange) -> Option<usize> {
    is_accepted(evidence, exchange).then(|| item_count(&exchange.reply)).flatten()
}
