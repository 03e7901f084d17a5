//! What `resources/read` gives in every revision.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::features::PROBE;
use crate::probes::{resource_read, revisions, template_read};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/resource-contents",
    title: "Resources are read in the right shape",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("RES-03", shape), rule("RES-04", encoded)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &resource_read::PROBE, &template_read::PROBE],
    page: include_str!("resource_contents.md"),
    judge: by_rules,
};

fn each_read<'a>(
    talk: &Conversation<'a>,
    none: &str,
    judge: impl Fn(&'a Value) -> Option<Ruling>,
) -> Judgement {
    talk.needs("resources")?;
    let rulings = talk
        .exchanges()
        .filter(|x| x.send.method() == Some("resources/read"))
        .filter_map(|x| Some(judge(x.result()?)?.seen_in(x.id)));
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable(none))
}

fn shape(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "answer `contents` as an array of parts with `uri` and `text` or `blob`";
    each_read(talk, "no resource was read", |result| {
        Some(match flaw(result) {
            None => Ruling::pass("contents have uri, and text or blob"),
            Some(flaw) => Ruling::fail(flaw, fix),
        })
    })
}

fn flaw(result: &Value) -> Option<&'static str> {
    let Some(parts) = result.get("contents").and_then(Value::as_array) else {
        return Some("`contents` is not an array");
    };
    let text = |part: &Value, key: &str| part.get(key).is_some_and(Value::is_string);
    parts.iter().find_map(|part| match part {
        part if !text(part, "uri") => Some("a part has no `uri`"),
        part if !text(part, "text") && !text(part, "blob") => {
            Some("a part has neither `text` nor `blob`")
        }
        _ => None,
    })
}

fn encoded(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    each_read(talk, "no binary resource was read", |result| {
        let parts = result.get("contents")?.as_array()?;
        let blobs: Vec<&str> = parts.iter().filter_map(|p| p.get("blob")?.as_str()).collect();
        blobs.first()?;
        Some(match blobs.iter().all(|blob| STANDARD.decode(blob).is_ok()) {
            true => Ruling::pass("binary contents are base64"),
            false => Ruling::fail("`blob` is not base64", "encode binary contents as base64"),
        })
    })
}
