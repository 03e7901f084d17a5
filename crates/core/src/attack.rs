//! Attacks: what the hostile calls of a probe come to. One finding per hole, one per tool without.

use crate::check::Finding;
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::proof::{Proof, twin};
use crate::response::{Answer, quote};

/// How a check reads the calls of its probe.
#[derive(Debug)]
pub struct Attack {
    pub probe: &'static str,
    /// The finding for a call whose oracle came true.
    pub hole: fn(&Evidence, &Exchange, Proof) -> Finding,
    /// Whether the answer of the benign twin shows that calls get through to the work.
    pub reached: fn(&Answer) -> bool,
    /// What a tool without holes showed.
    pub clean: &'static str,
}

impl Attack {
    /// Empty when no tool was attacked.
    pub fn judge(&self, evidence: &Evidence) -> Vec<Finding> {
        if let Some(why) = evidence.why_no_tools() {
            return vec![Finding::unseen(Subject::Server, why)];
        }
        evidence.tools().flat_map(|tool| self.of_tool(evidence, tool)).collect()
    }

    fn of_tool(&self, evidence: &Evidence, tool: &Tool) -> Vec<Finding> {
        let calls: Vec<&Exchange> = evidence.of_tool(self.probe, &tool.name).collect();
        let mut holes: Vec<Finding> = Vec::new();
        for x in &calls {
            let proof = x.oracle.as_ref().and_then(|oracle| oracle.proof(evidence, x));
            if let Some(proof) = proof.filter(|_| holes.iter().all(|h| h.subject != x.subject)) {
                holes.push((self.hole)(evidence, x, proof).seen_in(x.id));
            }
        }
        if holes.is_empty() {
            holes.extend(self.without_hole(evidence, tool, &calls));
        }
        holes
    }

    fn without_hole(
        &self,
        evidence: &Evidence,
        tool: &Tool,
        calls: &[&Exchange],
    ) -> Option<Finding> {
        let subject = Subject::tool_named(&tool.name);
        let answered = |x: &Exchange| x.reply.why_unseen().is_none();
        let reached = |x: &Exchange| {
            twin(evidence, x).is_none_or(|t| (self.reached)(&Answer::of(evidence, t)))
        };
        let hostile = || calls.iter().filter(|x| x.oracle.is_some());
        if let Some(x) = hostile().find(|x| answered(x) && reached(x)) {
            return Some(Finding::pass(subject, self.clean).seen_in(x.id));
        }
        let benign = calls.iter().find(|x| x.oracle.is_none() && answered(x));
        let taken = |x: &Exchange| (self.reached)(&Answer::of(evidence, x));
        if hostile().next().is_none() && benign.is_some_and(|x| taken(x)) {
            // It took the harmless value and did nothing with it that is worth attacking.
            return None;
        }
        if let Some(x) = benign.filter(|_| hostile().all(|x| !answered(x) || !reached(x))) {
            let says = match hostile().find_map(|x| x.reply.why_unseen()) {
                Some(why) => why,
                None => format!(
                    "not exercised: even a benign call was refused: \"{}\"",
                    quote(&x.reply.text())
                ),
            };
            return Some(Finding::unseen(subject, says).seen_in(x.id));
        }
        calls.iter().find_map(|x| x.reply.why_unseen()).map(|why| Finding::unseen(subject, why))
    }
}
