//! Structured content in every revision: what the output schema promises, and its text twin.

use serde_json::Value;

use crate::arguments::violates;
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{EachReply, Reply};
use crate::probes::{features, revisions, valid_call};
use crate::response::{Agreement, quote};
use crate::spec::calls::{called, tool_of};
use crate::spec::{Conversation, Judgement, Requirement, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/structured-content",
    title: "Structured content keeps the output schema and is told as text too",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("TOOL-12", conforming),
        rule("TOOL-13", object),
        rule("TOOL-14", serialised),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &features::PROBE],
    page: include_str!("structured_content.md"),
    judge: by_rules,
};

const STRUCTURED: &str =
    "return `structuredContent` that fits `outputSchema`, or correct the schema";

fn conforming(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let listed = talk.listing("tools/list")?;
    let schema_of = |tool: &str| {
        let is_it = |t: &&&Value| t.get("name").and_then(Value::as_str) == Some(tool);
        listed.items.iter().find(is_it)?.get("outputSchema")
    };
    let flaws = EachReply::new(|tool: &str, reply: &Reply| {
        let (schema, given) = (schema_of(tool)?, reply.result()?.get("structuredContent"));
        match given {
            None => Some("it declares `outputSchema` and sends no `structuredContent`".to_owned()),
            Some(value) => violates(schema, value)
                .map(|(at, why)| format!("breaks `outputSchema` at \"{at}\": {}", quote(&why))),
        }
    });
    talk.each_call("no tool with `outputSchema` was called with success", |x, _| {
        schema_of(tool_of(x))?;
        if x.reply.is_tool_error() {
            return None;
        }
        let flaw = flaws.of(tool_of(x), &x.reply);
        Some(called(x, flaw, "structured content keeps the output schema", STRUCTURED))
    })
}

fn object(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.each_call("no structured content was sent", |x, result| {
        let given = result.get("structuredContent")?;
        let flaw = (!given.is_object()).then(|| "`structuredContent` is not an object".to_owned());
        Some(called(x, flaw, "structured content is an object", STRUCTURED))
    })
}

fn serialised(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send the JSON of `structuredContent` in a text block as well";
    let agreements = EachReply::new(|(), reply: &Reply| Agreement::of(reply.result()?));
    talk.each_call("no structured content was sent", |x, _| {
        if x.reply.is_tool_error() {
            return None;
        }
        let flaw = match agreements.of((), &x.reply)? {
            Agreement::Same => None,
            Agreement::Prose => {
                Some("its text leaves out values of `structuredContent`".to_owned())
            }
            Agreement::NoText => Some("`structuredContent` comes without any text".to_owned()),
            Agreement::Contradicts(at) => {
                Some(format!("the JSON in its text is not its `structuredContent`, see \"{at}\""))
            }
        };
        Some(called(x, flaw, "text blocks tell the structured content", fix))
    })
}
