//! Fills URI templates with values that mean something to the server, and reads what they name.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::complete;
use super::resource_read::read;
use crate::arguments::{Context, Fill, sample};
use crate::evidence::{Evidence, Subject, Template};
use crate::harvest::{Harvest, Sense};
use crate::percent::{PART, decoded, encoded};
use crate::probe::{Call, Lane, Probe};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "template-read", hostile: false, lane: Lane::Shared, plan };

/// The labels of the tries, in order.
const TRIES: &[&str] = &["filled", "filled 2", "filled 3"];

/// Whether a call reads a resource, and does not ask how to complete its name.
pub fn is_read(label: &str) -> bool {
    TRIES.contains(&label)
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let templates = &evidence.inventory.templates;
    let mut wanted: Vec<Call> = templates.iter().flat_map(|t| asks(evidence, t)).collect();
    if complete::is_pending(evidence, PROBE.id) || !wanted.is_empty() {
        return wanted;
    }
    wanted.extend(templates.iter().filter_map(|t| attempt(evidence, t, seed)));
    wanted
}

fn asks(evidence: &Evidence, template: &Template) -> Vec<Call> {
    let subject = Subject::Resource { uri: template.uri_template.clone() };
    let reference = json!({"type": "ref/resource", "uri": template.uri_template});
    let names = gaps(&template.uri_template);
    complete::asks(evidence, PROBE.id, &subject, &reference, names.iter().map(String::as_str))
}

/// The next URI worth trying: what is listed already, then what answers held, then a guess.
fn attempt(evidence: &Evidence, template: &Template, seed: Seed) -> Option<Call> {
    let subject = Subject::Resource { uri: template.uri_template.clone() };
    let of_template = evidence.of(PROBE.id).filter(|x| x.subject == subject && is_read(&x.label));
    let made: Vec<_> = of_template.collect();
    if made.iter().any(|x| x.result().is_some()) {
        return None;
    }
    let sent: Vec<&str> =
        made.iter().filter_map(|x| x.send.params()?.get("uri")?.as_str()).collect();
    let uri =
        candidates(evidence, template, seed).into_iter().find(|u| !sent.contains(&u.as_str()));
    let label = TRIES.get(made.len())?;
    Some(read(&template.uri_template, &uri?, label))
}

fn candidates(evidence: &Evidence, template: &Template, seed: Seed) -> Vec<String> {
    let text = &template.uri_template;
    let names = gaps(text);
    let guess = guessed(evidence, template, &names, seed);
    let harvest = Harvest::of(evidence);
    let mut noun = crate::probe::words(&template.name);
    noun.retain(|w| !matches!(w.as_str(), "resource" | "template" | "by" | "id"));
    let sense = Sense::reading(&noun);
    let subject = Subject::Resource { uri: text.clone() };
    let known: BTreeMap<String, String> = names
        .iter()
        .filter_map(|name| {
            let offered = complete::offered(evidence, PROBE.id, &subject, name);
            let found = || harvest.best_of(name, "", &sense, &json!({"type": "string"}));
            let value = offered.or_else(|| found().and_then(|f| text_of(&f.value)))?;
            Some((name.clone(), value))
        })
        .collect();
    let mut mixed = guess.clone();
    mixed.extend(known);
    let listed = evidence.inventory.resources.iter().map(|r| r.uri.clone());
    let mut uris: Vec<String> = listed.filter(|uri| fits(text, uri)).take(1).collect();
    uris.extend([expand(text, &mixed), expand(text, &guess)].into_iter().flatten());
    uris.dedup();
    uris
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(n) => Some(n.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn guessed(
    evidence: &Evidence,
    template: &Template,
    names: &[String],
    seed: Seed,
) -> BTreeMap<String, String> {
    let text = json!({"type": "string", "minLength": 1});
    let properties: Map<String, Value> = names.iter().map(|n| (n.clone(), text.clone())).collect();
    let schema = json!({"type": "object", "properties": properties, "required": names});
    let context = Context::in_folder(&evidence.conditions.workspace);
    let value = sample(&schema, &context, seed.part(&template.uri_template), Fill::Minimal);
    let map = value.as_ref().and_then(Value::as_object);
    map.into_iter().flatten().filter_map(|(k, v)| Some((k.clone(), text_of(v)?))).collect()
}

/// The names that must be filled; what follows `?` or `&` may be left out.
pub(crate) fn gaps(template: &str) -> Vec<String> {
    let parts = template.split('{').skip(1).filter_map(|part| part.split_once('}'));
    let bodies = parts.map(|(body, _)| body).filter(|body| !body.starts_with(['?', '&', '#', ';']));
    bodies
        .flat_map(|body| body.trim_start_matches(['+', '/', '.']).split(','))
        .map(|name| name.trim_end_matches('*').split(':').next().unwrap_or_default().to_owned())
        .collect()
}

/// RFC 6570 for single names; `None` when one has no value.
pub(crate) fn expand(template: &str, values: &BTreeMap<String, String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (body, tail) = after.split_once('}')?;
        out.push_str(before);
        for name in gaps(&format!("{{{body}}}")) {
            let value = values.get(&name)?;
            match body.chars().next() {
                Some('+') => out.push_str(value),
                Some(c @ ('/' | '.')) => {
                    out.push(c);
                    out.push_str(&encoded(value, PART));
                }
                Some(_) | None => out.push_str(&encoded(value, PART)),
            }
        }
        rest = tail;
    }
    out.push_str(rest);
    Some(out)
}

/// What stands in the gaps of a URI that a template made; the reverse of [`expand`].
pub(crate) fn values(template: &str, uri: &str) -> Option<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    // What may be left out was.
    let template = template.split("{?").next()?.split("{&").next()?.split("{#").next()?;
    let (start, mut fixed) = template.split_once('{')?;
    let mut rest = uri.strip_prefix(start)?;
    loop {
        let (body, tail) = fixed.split_once('}')?;
        let (until, next) = tail.split_once('{').map_or((tail, None), |(t, n)| (t, Some(n)));
        let names = gaps(&format!("{{{body}}}"));
        let length = match (until, next) {
            ("", None) => rest.len(),
            (until, None) => rest.len().checked_sub(until.len())?,
            (until, Some(_)) => rest.find(until)?,
        };
        let value = rest.get(..length)?.trim_start_matches(['/', '.']);
        found.extend(names.into_iter().take(1).map(|name| (name, decoded(value))));
        rest = rest.get(length + until.len()..)?;
        match next {
            Some(next) => fixed = next,
            None => return Some(found),
        }
    }
}

/// Whether the template could have made this URI: its fixed parts stand there in order.
fn fits(template: &str, uri: &str) -> bool {
    let fixed = template.split('{').enumerate().map(|(i, part)| match i {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, tail)| tail),
    });
    let mut rest = uri;
    for (i, part) in fixed.enumerate() {
        match rest.find(part) {
            Some(at) if i > 0 || at == 0 => rest = &rest[at + part.len()..],
            Some(_) | None => return false,
        }
    }
    uri.starts_with(template.split('{').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn uris(snippet: &str) -> Vec<String> {
        let calls = plan(&pages::evidence(snippet).unwrap(), Seed(1));
        calls.iter().map(|c| c.send.params().unwrap()["uri"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn an_id_from_an_answer_fills_the_gap() {
        let snippet = r#"{"templates": [{"uriTemplate": "notes://{id}", "name": "note"}], "tools": [{"name": "list_notes"}],
            "exchanges": [{"probe": "valid-call", "tool": "list_notes", "label": "typical", "reply": {"text": "[{\"id\": \"note 7\"}]"}}]}"#;
        assert_eq!(uris(snippet), ["notes://note%207"]);
    }

    #[test]
    fn a_listed_resource_is_the_best_example_and_a_guess_the_last() {
        let template = r#""templates": [{"uriTemplate": "demo://text/{id}", "name": "text"}]"#;
        let listed = format!(
            r#"{{{template}, "resources": [{{"uri": "demo://blob/1", "name": "b"}}, {{"uri": "demo://text/9", "name": "t"}}]}}"#
        );
        assert_eq!(uris(&listed), ["demo://text/9"]);
        assert_eq!(uris(&format!("{{{template}}}")), ["demo://text/1"]);
    }

    #[test]
    fn templates_are_filled_as_the_standard_says() {
        let values: BTreeMap<String, String> =
            [("a", "x y"), ("p", "q/r")].map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        assert_eq!(expand("s://{a}/{+p}{?n}", &values).unwrap(), "s://x%20y/q/r");
        assert_eq!(expand("s://h{/a}", &values).unwrap(), "s://h/x%20y");
        assert_eq!(expand("s://{b}", &values), None);
        assert_eq!(gaps("s://{a}/{p*}{?x,y}"), ["a", "p"]);
        assert_eq!(super::values("s://{a}/{+p}{?n}", "s://x%20y/q/r"), Some(values));
    }
}
