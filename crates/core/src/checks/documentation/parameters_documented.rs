//! Parameters in the README, against those of the running server.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::readme::{Readme, holds_word};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "documentation/parameters-documented",
    title: "The README describes the parameters of the tools as they are",
    facet: Facet::ApiDocs,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("parameters_documented.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::beside_tools(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let tools: Vec<&Tool> = evidence.tools().filter(|t| t.parameters().next().is_some()).collect();
    if tools.is_empty() {
        return Vec::new();
    }
    let stale: Vec<String> = tools.iter().filter_map(|tool| stale(&readme, tool)).collect();
    let bare: Vec<&str> =
        tools.iter().filter(|t| !described(&readme, t, &tools)).map(|t| t.name.as_str()).collect();
    if stale.is_empty() && bare.is_empty() {
        let says = format!("parameters are described for all {} tools that have any", tools.len());
        return vec![Finding::pass(Subject::Server, says)];
    }
    let mut says = Vec::new();
    if !stale.is_empty() {
        says.push(format!("parameters that do not exist: {}", quote(&stale.join("; "))));
    }
    if !bare.is_empty() {
        let (some, of) = (bare.len(), tools.len());
        says.push(format!(
            "{some} of {of} tools without their parameters: {}",
            quote(&bare.join(", "))
        ));
    }
    let fix = "list each tool's parameters by their real names, with type, meaning and default; generate the list from the schemas";
    let wrong = bare.len() + stale.len();
    let share = 1.0 - wrong.min(tools.len()) as f64 / tools.len() as f64;
    vec![
        Finding::partial(Subject::Server, Grade::new(share), says.join("; "), fix)
            .confidence(Confidence::Medium),
    ]
}

/// At least half of its parameters, and all that are required, stand where the tool is described.
fn described(readme: &Readme, tool: &Tool, tools: &[&Tool]) -> bool {
    let name = tool.name.as_str();
    let other = |head: &str| head != name && tools.iter().any(|t| t.name == head);
    // That the name is spelt otherwise is judged elsewhere.
    let called = [Some(name), readme.misspelt(name)];
    let items = called.into_iter().flatten().flat_map(|called| readme.about(called));
    let texts: Vec<&str> =
        items.map(|item| readme.region(item, &other)).chain(readme.signatures(name)).collect();
    let told = |name: &str| texts.iter().any(|text| holds_word(text, name));
    let all = tool.parameters().count();
    let some = tool.parameters().filter(|(name, _)| told(name)).count();
    some * 2 >= all && tool.required().all(told)
}

fn stale(readme: &Readme, tool: &Tool) -> Option<String> {
    let mut keys = BTreeSet::new();
    collect(&tool.raw, &mut keys);
    let strange = readme.about(&tool.name).flat_map(|item| {
        let known = |name: &str| keys.contains(name);
        readme.strangers(Some(item), &known)
    });
    let strange: BTreeSet<String> = strange.filter(|name| *name != tool.name).collect();
    let names: Vec<String> = strange.into_iter().collect();
    (!names.is_empty()).then(|| format!("{} of `{}`", names.join(", "), tool.name))
}

/// Every key and every word of the definition: properties at any depth, values, mentions.
fn collect<'a>(value: &'a Value, keys: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                keys.insert(key);
                collect(inner, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        Value::String(text) => {
            keys.extend(text.split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c))));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
