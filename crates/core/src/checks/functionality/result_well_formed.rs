//! Results have the shape the revision and the tool's own output schema promise.

use serde_json::Value;

use crate::arguments::violates;
use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::valid_call::PROBE;
use crate::response::{block_flaw, quote};
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "functionality/result-well-formed",
    title: "Results have the promised shape",
    facet: Facet::ResponseValidity,
    severity: Severity::Medium,
    class: None,
    requirements: &["TOOL-12", "TOOL-13", "TOOL-15", "TOOL-16"],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("result_well_formed.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.why_unseen() {
        Some(why) => vec![Finding::unseen(Subject::Server, why)],
        None => evidence.tools().map(|tool| verdict(evidence, tool)).collect(),
    }
}

fn verdict(evidence: &Evidence, tool: &Tool) -> Finding {
    let subject = Subject::tool_named(&tool.name);
    let revision = evidence.revision().unwrap_or(Revision::NEWEST_HANDSHAKE);
    let calls: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    // A server that asks back has not answered yet.
    let asks_back =
        |r: &Value| r.get("resultType").and_then(Value::as_str) == Some("input_required");
    let results: Vec<(&Exchange, &Value)> = calls
        .iter()
        .filter_map(|x| Some((*x, x.result()?)))
        .filter(|(_, result)| !asks_back(result))
        .collect();
    for (x, result) in &results {
        if let Some(flaw) = flaw(result, tool, revision) {
            return flaw.finding(subject).seen_in(x.id);
        }
    }
    match (results.first(), calls.first()) {
        (Some((x, _)), _) => Finding::pass(subject, "results are well formed").seen_in(x.id),
        (None, Some(x)) => {
            let why = x.reply.why_unseen().unwrap_or_else(|| "no call gave a result".to_owned());
            Finding::unseen(subject, why).seen_in(x.id)
        }
        (None, None) => Finding::unseen(subject, "no arguments could be made from its schema"),
    }
}

struct Flaw {
    grade: f64,
    says: String,
    fix: &'static str,
}

impl Flaw {
    fn new(says: impl Into<String>, fix: &'static str) -> Flaw {
        Flaw { grade: 0.0, says: says.into(), fix }
    }

    fn finding(self, subject: Subject) -> Finding {
        Finding::partial(subject, Grade::new(self.grade), self.says, self.fix)
    }
}

fn flaw(result: &Value, tool: &Tool, revision: Revision) -> Option<Flaw> {
    let Some(blocks) = result.get("content").and_then(Value::as_array) else {
        return Some(Flaw::new(
            "`content` is not an array",
            "send `content` as an array of blocks",
        ));
    };
    if result.get("isError").is_some_and(|v| !v.is_boolean()) {
        return Some(Flaw::new("`isError` is not a boolean", "send `isError` as true or false"));
    }
    let block =
        (0..).zip(blocks).find_map(|(i, b): (usize, _)| Some((i, block_flaw(b, revision)?)));
    if let Some((i, why)) = block {
        let says = format!("content block {i}: {why}");
        return Some(Flaw::new(says, "send blocks of a type this revision knows, with its fields"));
    }
    structured_flaw(result, tool, revision).or_else(|| {
        let bare = blocks.is_empty() && result.get("structuredContent").is_none();
        bare.then(|| Flaw {
            grade: 0.5,
            says: "the result is empty".to_owned(),
            fix: "say something, at least that nothing was found or that it is done",
        })
    })
}

fn structured_flaw(result: &Value, tool: &Tool, revision: Revision) -> Option<Flaw> {
    const FIX: &str = "return `structuredContent` that fits `outputSchema`, or correct the schema";
    if revision < Revision::V2025_06_18 {
        return None;
    }
    let structured = result.get("structuredContent");
    if structured.is_some_and(|s| !s.is_object()) && !revision.is_stateless() {
        return Some(Flaw::new("`structuredContent` is not an object", FIX));
    }
    let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
    let schema = tool.output_schema.as_ref().filter(|_| !failed)?;
    match structured {
        None => Some(Flaw::new("it declares `outputSchema` and sends no `structuredContent`", FIX)),
        Some(value) => violates(schema, value).map(|(at, why)| {
            let at = if at.is_empty() { "the root".to_owned() } else { at };
            Flaw::new(
                format!("`structuredContent` breaks `outputSchema` at {at}: {}", quote(&why)),
                FIX,
            )
        }),
    }
}
