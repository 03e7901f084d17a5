//! What was kept can be read back.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::round_trip::{PROBE, Step, WRITE, Way, label, step, told, witnesses};
use crate::probes::{limits, round_trip_marks as marks, valid_call};
use crate::response::{Answer, Trouble, is_addressed, item_count, quote};

pub(super) const CHECK: Check = Check {
    id: "functionality/round-trip",
    title: "What is kept can be read back",
    facet: Facet::ToolSuccess,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &PROBE],
    page: include_str!("round_trip.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    // What a process that died had in memory is nobody's fault but its death's.
    if evidence.departures.iter().any(|d| d.unexpected) {
        return Vec::new();
    }
    evidence.tools().filter_map(|tool| keeping(evidence, tool)).collect()
}

fn keeping(evidence: &Evidence, writer: &Tool) -> Option<Finding> {
    let subject = Subject::tool_named(&writer.name);
    let written = step(evidence, &writer.name, WRITE)?;
    match Answer::of(evidence, written) {
        Answer::Accepted if is_addressed(evidence, written) => {}
        Answer::Unseen(why) => return Some(Finding::unseen(subject, why).seen_in(written.id)),
        Answer::Accepted
        | Answer::ToolError(_)
        | Answer::Refused { .. }
        | Answer::Malformed(_)
        | Answer::Crashed
        | Answer::Hung => return None,
    }
    let (before, after) = (label(Step::Before, &writer.name), label(Step::After, &writer.name));
    let looks: Vec<(Look<'_>, &Exchange)> = witnesses(evidence, writer, written.arguments()?)
        .into_iter()
        .filter_map(|w| {
            let after = step(evidence, &w.tool.name, &after)?;
            let before = step(evidence, &w.tool.name, &before);
            let look = Look { tool: w.tool, way: w.way, same_thing: w.same_thing, before };
            Some((look, after))
        })
        .collect();
    let found = looks.iter().find(|(look, after)| marks::shows(after) || look.changed(after));
    if let Some((look, after)) = found {
        let says = format!("{} shows what it was given", look.tool.name);
        return Some(Finding::pass(subject, says).seen_in(written.id).seen_in(after.id));
    }
    let (look, after) = looks.iter().find(|(look, after)| look.misses(evidence, after))?;
    let says = format!(
        "says \"{}\", and {} does not know of it: \"{}\"",
        quote(&written.reply.text()),
        look.tool.name,
        quote(&after.reply.text())
    );
    let fix = "keep what is given before saying so, or report that it was not kept";
    Some(Finding::fail(subject, says, fix).seen_in(written.id).seen_in(after.id))
}

struct Look<'a> {
    tool: &'a Tool,
    way: Way,
    same_thing: bool,
    before: Option<&'a Exchange>,
}

impl Look<'_> {
    /// Under a key of our own, nothing but our call can have changed the answer.
    fn changed(&self, after: &Exchange) -> bool {
        let answered = after.result().is_some() && !after.reply.is_tool_error();
        let differs = self.before.is_some_and(|b| told(b) != told(after));
        matches!(self.way, Way::Key(_)) && answered && differs
    }

    /// The answer would have to show what was kept, and is as if nothing had been.
    fn misses(&self, evidence: &Evidence, after: &Exchange) -> bool {
        let same = self.before.is_some_and(|b| told(b) == told(after));
        let works = valid_call::succeeded(evidence, &self.tool.name);
        self.same_thing
            && works
            && match &self.way {
                Way::Key(_) => same && after.reply.why_unseen().is_none(),
                Way::Id(_) => Answer::of(evidence, after)
                    .error_text()
                    .is_some_and(|text| Trouble::of(text) == Trouble::NotFound),
                // The words may be looked for elsewhere, or later.
                Way::Words(_) => false,
                Way::All => same && self.is_whole(after),
            }
    }

    /// Nothing hints at further pages.
    fn is_whole(&self, after: &Exchange) -> bool {
        let text = told(after).to_lowercase();
        let paged =
            ["cursor", "has_more", "hasmore", "next_page", "nextpage", "truncated", "offset"];
        let limit = limits::parameter(self.tool)
            .and_then(|(name, _)| after.arguments()?.get(name)?.as_u64())
            .unwrap_or(10);
        item_count(&after.reply).is_some_and(|n| (n as u64) < limit)
            && !paged.iter().any(|word| text.contains(word))
    }
}
