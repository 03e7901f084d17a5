//! The definitions of resources and templates: their URIs, and what they say about themselves.

use serde_json::Value;
use url::Url;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{listings, revisions};
use crate::revision::Revision;
use crate::spec::grammar::{is_date, is_scheme, template_flaw, uri_flaw};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/resource-definitions",
    title: "Resources and templates have valid URIs and well-typed fields",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("RES-02", resources),
        rule("RES-08", templates),
        rule("RES-11", fetchable),
        rule("RES-12", schemes),
        rule("RES-13", annotated),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE],
    page: include_str!("resource_definitions.md"),
    judge: by_rules,
};

const URI: &str =
    "give every resource an absolute URI (RFC 3986), and encode what may not stand in one";

fn text<'a>(item: &'a Value, key: &str) -> Option<&'a str> {
    item.get(key)?.as_str()
}

fn resources(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    talk.listing("resources/list")?.every("URIs and fields are valid", URI, |item| {
        let Some(uri) = text(item, "uri") else { return Some("`uri` is no string".to_owned()) };
        let title =
            talk.revision >= Revision::V2025_06_18 && is_odd(item, "title", Value::is_string);
        let size = talk.revision >= Revision::V2025_03_26 && is_odd(item, "size", Value::is_number);
        match text(item, "name") {
            None => Some("`name` is missing or not a string".to_owned()),
            Some(_) if size => Some("`size` is not a number".to_owned()),
            Some(_) if title => Some("`title` is not a string".to_owned()),
            Some(_) => uri_flaw(uri),
        }
    })
}

fn is_odd(item: &Value, key: &str, fits: fn(&Value) -> bool) -> bool {
    item.get(key).is_some_and(|v| !fits(v))
}

fn templates(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "write `uriTemplate` as RFC 6570 has it, and give each template a name";
    talk.listing("resources/templates/list")?.every("templates are valid", fix, |item| {
        match (text(item, "uriTemplate"), text(item, "name")) {
            (None, _) => Some("`uriTemplate` is missing or not a string".to_owned()),
            (_, None) => Some("`name` is missing or not a string".to_owned()),
            (Some(template), Some(_)) => template_flaw(template),
        }
    })
}

fn fetchable(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let listed = talk.listing("resources/list")?;
    let web = |item: &&&Value| text(item, "uri").is_some_and(|u| u.starts_with("https://"));
    let uris: Vec<&str> = listed.items.iter().filter(web).filter_map(|i| text(i, "uri")).collect();
    match (uris.first(), uris.iter().find(|uri| leads_nowhere(uri))) {
        (None, _) if listed.items.is_empty() => {
            Err(Ruling::not_testable("resources/list is empty"))
        }
        (None, _) => Ok(Ruling::pass("no resource has an https URI")),
        (Some(_), Some(uri)) => Ok(Ruling::fail(
            format!("{uri} is on no host that can be reached"),
            "use a scheme of your own for what only your server can read",
        )),
        (Some(_), None) => Err(Ruling::not_testable(
            "https resources are not fetched: nothing leaves this machine",
        )),
    }
}

/// Names that are kept free for ever (RFC 6761).
fn leads_nowhere(uri: &str) -> bool {
    let host = Url::parse(uri).ok().and_then(|url| url.host_str().map(str::to_owned));
    let last = host.as_deref().and_then(|h| h.rsplit('.').next());
    matches!(last, Some("invalid" | "test" | "example"))
}

fn schemes(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "begin a scheme with a letter, and go on with letters, digits, `+`, `-` and `.`";
    talk.listing("resources/list")?.every("schemes are valid", fix, |item| {
        let (scheme, _) = text(item, "uri")?.split_once(':')?;
        (!is_scheme(scheme)).then(|| format!("{scheme:?} is no scheme"))
    })
}

fn annotated(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix =
        "keep `audience` to user and assistant, `priority` to 0..1 and `lastModified` to ISO 8601";
    let lists = ["resources/list", "resources/templates/list"];
    let rulings = lists.into_iter().filter_map(|method| {
        let listed = talk.listing(method).ok()?;
        listed.items.iter().find(|item| item.get("annotations").is_some())?;
        let flaw = |item: &Value| annotation_flaw(item.get("annotations")?).map(str::to_owned);
        listed.every("annotations are valid", fix, flaw).ok()
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no resource has annotations"))
}

fn annotation_flaw(given: &Value) -> Option<&'static str> {
    let person = |v: &Value| matches!(v.as_str(), Some("user" | "assistant"));
    let people = |v: &Value| v.as_array().is_some_and(|list| list.iter().all(person));
    let share = |v: &Value| v.as_f64().is_some_and(|n| (0.0..=1.0).contains(&n));
    let wrong = |key: &str, fits: &dyn Fn(&Value) -> bool| given.get(key).is_some_and(|v| !fits(v));
    match () {
        () if !given.is_object() => Some("`annotations` is not an object"),
        () if wrong("audience", &people) => Some("`audience` names others than user and assistant"),
        () if wrong("priority", &share) => Some("`priority` is not a number from 0 to 1"),
        () if wrong("lastModified", &|v| v.as_str().is_some_and(is_date)) => {
            Some("`lastModified` is no ISO 8601 date")
        }
        () => None,
    }
}
