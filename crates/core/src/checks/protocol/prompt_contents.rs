//! Prompts: their definitions, and the messages they give.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{features, listings, prompt_get, revisions};
use crate::response::{block_flaw, quote};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/prompt-contents",
    title: "Prompts are defined and given in the right shape",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("PROMPT-02", definitions),
        rule("PROMPT-03", messages),
        rule("PROMPT-07", media),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE, &features::PROBE, &prompt_get::PROBE],
    page: include_str!("prompt_contents.md"),
    judge: by_rules,
};

fn definitions(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "give every prompt and every argument a string `name`, and `required` as a boolean";
    talk.listing("prompts/list")?.every("names and arguments are well typed", fix, |prompt| {
        let named = |v: &Value| v.get("name").is_some_and(Value::is_string);
        let odd = |a: &Value| a.get("required").is_some_and(|r| !r.is_boolean());
        let arguments = prompt.get("arguments").unwrap_or(&Value::Null);
        let each = || arguments.as_array().into_iter().flatten();
        let flaw = match () {
            () if !named(prompt) => "`name` is missing or not a string",
            () if !arguments.is_array() && !arguments.is_null() => "`arguments` is not an array",
            () if !each().all(named) => "an argument has no `name`",
            () if each().any(odd) => "`required` is not a boolean",
            () => return None,
        };
        Some(flaw.to_owned())
    })
}

fn each_get<'a>(
    talk: &Conversation<'a>,
    none: &str,
    fix: &str,
    judge: impl Fn(&'a Value) -> Option<Result<&'static str, String>>,
) -> Judgement {
    talk.needs("prompts")?;
    let rulings =
        talk.exchanges().filter(|x| x.send.method() == Some("prompts/get")).filter_map(|x| {
            let result = x.result().filter(|r| r.get("inputRequests").is_none())?;
            let ruling = match judge(result)? {
                Ok(good) => Ruling::pass(good),
                Err(flaw) => {
                    Ruling::fail(format!("{}: {flaw}", quote(&x.subject.to_string())), fix)
                }
            };
            Some(ruling.seen_in(x.id))
        });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable(none))
}

fn messages(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "answer `messages` with role user or assistant and one content block each";
    each_get(talk, "no prompt was got", fix, |result| {
        let Some(messages) = result.get("messages").and_then(Value::as_array) else {
            return Some(Err("`messages` is not an array".to_owned()));
        };
        let flaw = messages.iter().find_map(|message| {
            let role = message.get("role").and_then(Value::as_str);
            match (role, message.get("content")) {
                (Some("user" | "assistant"), Some(block @ Value::Object(_))) => {
                    block_flaw(block, talk.revision)
                }
                (Some("user" | "assistant"), _) => Some("`content` is not one block".to_owned()),
                (_, _) => Some("`role` is neither user nor assistant".to_owned()),
            }
        });
        Some(flaw.map_or(Ok("messages are well formed"), Err))
    })
}

fn media(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "send media as base64 with a media type, embedded resources whole";
    each_get(talk, "no prompt gives media or a resource", fix, |result| {
        let messages = result.get("messages")?.as_array()?;
        let flaws: Vec<Option<String>> =
            messages.iter().filter_map(|m| block_media(m.get("content")?)).collect();
        flaws.first()?;
        Some(flaws.into_iter().flatten().next().map_or(Ok("media and resources are complete"), Err))
    })
}

/// What is wrong with a block of media or an embedded resource; `None` for other blocks.
fn block_media(block: &Value) -> Option<Option<String>> {
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    let base64 = |data: Option<String>| data.is_some_and(|d| STANDARD.decode(d).is_ok());
    let bare = |of: &Value| text(of, "text").is_none() && !base64(text(of, "blob"));
    let mime = |of: &Value| text(of, "mimeType").is_some_and(|m| m.contains('/'));
    let flaw = |bad: bool, says: &str| bad.then(|| says.to_owned());
    match (block.get("type")?.as_str()?, block.get("resource")) {
        ("image" | "audio", _) => Some(
            flaw(!base64(text(block, "data")), "`data` is not base64")
                .or_else(|| flaw(!mime(block), "`mimeType` is no media type")),
        ),
        ("resource", Some(resource)) => Some(
            flaw(text(resource, "uri").is_none(), "the resource has no `uri`")
                .or_else(|| flaw(!mime(resource), "the resource has no `mimeType`"))
                .or_else(|| {
                    flaw(bare(resource), "the resource has neither text nor a base64 blob")
                }),
        ),
        _ => None,
    }
}
