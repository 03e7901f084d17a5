//! The results of tools in every revision: blocks, media, embedded resources.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{features, revisions, valid_call};
use crate::response::block_flaw;
use crate::revision::Revision;
use crate::spec::calls::called;
use crate::spec::{Conversation, Judgement, Requirement, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/tool-results",
    title: "Results of tools have the shape of their revision",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TOOL-15", blocks), rule("TOOL-16", media), rule("TOOL-17", embedding)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &features::PROBE],
    page: include_str!("tool_results.md"),
    judge: by_rules,
};

fn blocks(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send `content` as an array of blocks that the revision knows";
    talk.each_call("no result", |x, result| {
        let flaw = match result.get("content").and_then(Value::as_array) {
            None => Some("`content` is not an array".to_owned()),
            Some(blocks) => blocks.iter().find_map(|b| block_flaw(b, talk.revision)),
        };
        Some(called(x, flaw, "content blocks are well formed", fix))
    })
}

fn is_media(block: &Value) -> bool {
    matches!(block.get("type").and_then(Value::as_str), Some("image" | "audio"))
}

fn media(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send images and audio as base64 with their media type";
    talk.each_call("no image or audio was sent", |x, result| {
        let blocks = result.get("content")?.as_array()?;
        blocks.iter().find(|b| is_media(b))?;
        let newest = Revision::NEWEST_HANDSHAKE;
        let flaw = blocks.iter().filter(|b| is_media(b)).find_map(|b| block_flaw(b, newest));
        Some(called(x, flaw, "media are base64 with a media type", fix))
    })
}

fn embedding(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "declare `resources` when results embed them";
    let declared = talk.declares("resources");
    talk.each_call("no result embeds a resource", |x, result| {
        let embeds = |b: &Value| b.get("type").and_then(Value::as_str) == Some("resource");
        result.get("content")?.as_array()?.iter().find(|b| embeds(b))?;
        let flaw = (!declared).then(|| "embeds a resource, `resources` is not declared".to_owned());
        Some(called(x, flaw, "embeds resources and declares them", fix))
    })
}
