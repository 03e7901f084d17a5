//! Parameters in the README, against those of the running server.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::readme::{Item, Readme, holds_word};
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
    // What is on its way out need not be learned.
    let wanted = |t: &&Tool| t.parameters().next().is_some() && !t.is_deprecated();
    let tools: Vec<&Tool> = evidence.tools().filter(wanted).collect();
    if tools.is_empty() {
        return Vec::new();
    }
    let strange: Vec<(&str, String)> =
        tools.iter().filter_map(|t| Some((t.name.as_str(), stale(&readme, t, &tools)?))).collect();
    let bare: Vec<&str> =
        tools.iter().filter(|t| !described(&readme, t, &tools)).map(|t| t.name.as_str()).collect();
    if strange.is_empty() && bare.is_empty() {
        let says = format!("parameters are described for all {} tools that have any", tools.len());
        return vec![Finding::pass(Subject::Server, says)];
    }
    let mut says = Vec::new();
    if !strange.is_empty() {
        let stale: Vec<&str> = strange.iter().map(|(_, says)| says.as_str()).collect();
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
    let wrong: BTreeSet<&str> = bare.iter().copied().chain(strange.iter().map(|s| s.0)).collect();
    let share = 1.0 - wrong.len() as f64 / tools.len() as f64;
    vec![
        Finding::partial(Subject::Server, Grade::new(share), says.join("; "), fix)
            .confidence(Confidence::Medium),
    ]
}

/// At least half of its parameters, and all that are required, stand where the tool is described.
fn described(readme: &Readme, tool: &Tool, tools: &[&Tool]) -> bool {
    let name = tool.name.as_str();
    let other = |i: &Item| i.head != name && tools.iter().any(|t| t.name == i.head);
    // That the name is spelt otherwise is judged elsewhere.
    let called = [Some(name), readme.misspelt(name)];
    let items = called.into_iter().flatten().flat_map(|called| readme.about(called));
    let regions = items.map(|i| readme.text.get(readme.region(i, &other)).unwrap_or_default());
    let texts: Vec<&str> = regions.chain(readme.signatures(name)).collect();
    let told = |name: &str| texts.iter().any(|text| holds_word(text, name));
    let all = tool.parameters().count();
    let some = tool.parameters().filter(|(name, _)| told(name)).count();
    some * 2 >= all && tool.required().all(told)
}

/// Names in a list of its parameters, or given by name in a call, that it does not have.
fn stale(readme: &Readme, tool: &Tool, tools: &[&Tool]) -> Option<String> {
    let mut keys = BTreeSet::new();
    collect(&tool.raw, &mut keys);
    let known = |name: &str| keys.contains(name);
    let is_tool = |name: &str| tools.iter().any(|t| t.name == name);
    let company = |item: &Item| readme.company_of_parameters(item);
    let listed = readme.about(&tool.name).flat_map(|item| {
        // A tool that is not offered here has parameters of its own.
        let beside = |i: &Item| !known(&i.head) && readme.is_beside(i, item);
        let other = |i: &Item| i.head != tool.name && (is_tool(&i.head) || beside(i));
        readme.strangers(Some(readme.region(item, &other)), &known, &company)
    });
    let open = tool.input_schema.get("additionalProperties").is_some_and(|a| *a != false);
    let given: Vec<&str> = readme.named_arguments(&tool.name).collect();
    // A plain word may be the function of some library.
    let plain = tool.name.chars().all(char::is_alphanumeric);
    let ours = !open && (!plain || given.iter().any(|name| known(name)));
    let given = given.into_iter().filter(|name| ours && !known(name));
    let names: BTreeSet<&str> =
        listed.map(|i| i.head.as_str()).chain(given).filter(|name| !is_tool(name)).collect();
    let names: Vec<&str> = names.into_iter().collect();
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
