//! Our verdict on messages beside that of the official schema documents. On stdin a JSON object per
//! line: first `{"revision", "schema"}` for each document, then `{"revision", "answers", "message"}`;
//! on stdout a row for each message. Used by `bench/schema`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Error, Write};

use jsonschema::Validator;
use proofmark_core::revision::Revision;
use proofmark_core::spec::messages::{Kind, violations};
use serde_json::{Map, Value, json};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut oracles: BTreeMap<Revision, Oracle> = BTreeMap::new();
    let mut methods = BTreeSet::new();
    for line in std::io::stdin().lock().lines() {
        let mut line: Value = serde_json::from_str(&line?)?;
        let revision: Revision =
            text(&line["revision"]).parse().map_err(|e| Error::other(format!("{e}")))?;
        if line["schema"].is_object() {
            let oracle = Oracle::new(&mut line["schema"]);
            methods.extend(oracle.definitions.values().filter_map(method_of).map(str::to_owned));
            oracles.insert(revision, oracle);
            continue;
        }
        let Some(oracle) = oracles.get_mut(&revision) else {
            return Err(Error::other(format!("no official document of {revision} was given")));
        };
        let answers = line["answers"].as_str();
        let ours = violations(revision, answers, &line["message"]);
        let theirs = oracle.faults(&methods, answers, &line["message"]);
        let ours: Vec<String> = ours.iter().map(|v| format!("{} {}", v.pointer, v.says)).collect();
        writeln!(out, "{}", json!({"ours": ours, "theirs": theirs}))?;
    }
    Ok(())
}

/// One official document, and the validators of the definitions that were needed so far.
struct Oracle {
    dialect: Value,
    folder: &'static str,
    definitions: Map<String, Value>,
    validators: BTreeMap<String, Option<Validator>>,
}

impl Oracle {
    fn new(document: &mut Value) -> Oracle {
        let folder = if document["$defs"].is_object() { "$defs" } else { "definitions" };
        let definitions = document[folder].as_object().cloned().unwrap_or_default();
        let dialect = document["$schema"].take();
        Oracle { dialect, folder, definitions, validators: BTreeMap::new() }
    }

    /// What the document says against a message; empty if it is good.
    fn faults(
        &mut self,
        methods: &BTreeSet<String>,
        answers: Option<&str>,
        message: &Value,
    ) -> Vec<String> {
        match Kind::of(message) {
            Kind::Result => self.result(answers, message),
            Kind::Error => {
                let mut found = self.first_of(&["JSONRPCErrorResponse", "JSONRPCError"], message);
                let code = &message["error"]["code"];
                for name in self.names(|d| {
                    d.pointer("/properties/error/allOf/1/properties/code/const") == Some(code)
                }) {
                    found.extend(self.against(&name, message));
                }
                found
            }
            Kind::Request => self.sent("JSONRPCRequest", "ServerRequest", methods, message),
            Kind::Notification => {
                self.sent("JSONRPCNotification", "ServerNotification", methods, message)
            }
            Kind::Batch => {
                let mut found = self.against("JSONRPCMessage", message);
                for message in message.as_array().into_iter().flatten() {
                    found.extend(self.faults(methods, answers, message));
                }
                found
            }
            Kind::Nothing => self.against("JSONRPCMessage", message),
        }
    }

    /// The envelope, and the definition that belongs to the request by the names in the document.
    fn result(&mut self, answers: Option<&str>, message: &Value) -> Vec<String> {
        let mut found = self.first_of(&["JSONRPCResultResponse", "JSONRPCResponse"], message);
        let result = &message["result"];
        let requests = self.names(|d| answers.is_some() && method_of(d) == answers);
        let Some(name) = requests.iter().find_map(|name| name.strip_suffix("Request")) else {
            return found;
        };
        let own = format!("{name}Result");
        let may_ask = self
            .definitions
            .get(&format!("{own}Response"))
            .is_some_and(|d| d.to_string().contains("/InputRequiredResult\""));
        let created = name == "CallTool" && self.definitions.contains_key("CreateTaskResult");
        if may_ask && result["resultType"] == "input_required" {
            found.extend(self.against("InputRequiredResult", result));
        } else if may_ask && result["resultType"] == "task" {
            found.extend(self.against("Result", result));
        } else if self.definitions.contains_key(&own)
            && !(created && self.against("CreateTaskResult", result).is_empty())
        {
            found.extend(self.against(&own, result));
        }
        found
    }

    /// A request or notification: its envelope, and the member of the union that has its method.
    fn sent(
        &mut self,
        envelope: &str,
        union: &str,
        methods: &BTreeSet<String>,
        message: &Value,
    ) -> Vec<String> {
        let mut found = self.against(envelope, message);
        let method = text(&message["method"]);
        let members = self.definitions.get(union).map(Value::to_string).unwrap_or_default();
        let own = self.names(|d| method_of(d) == Some(method));
        match own.iter().find(|name| members.contains(&format!("/{name}\""))) {
            Some(name) => found.extend(self.against(name, message)),
            None if methods.contains(method) => found.push(format!("{method} is not in {union}")),
            None => {}
        }
        found
    }

    fn names(&self, which: impl Fn(&Value) -> bool) -> Vec<String> {
        self.definitions.iter().filter(|(_, d)| which(d)).map(|(name, _)| name.clone()).collect()
    }

    fn first_of(&mut self, names: &[&str], value: &Value) -> Vec<String> {
        let known = |name: &&&str| self.definitions.contains_key(**name);
        match names.iter().find(known) {
            Some(name) => self.against(name, value),
            None => vec![format!("no definition of {names:?}")],
        }
    }

    fn against(&mut self, name: &str, value: &Value) -> Vec<String> {
        let (dialect, folder, definitions) = (&self.dialect, self.folder, &self.definitions);
        let validator = self.validators.entry(name.to_owned()).or_insert_with(|| {
            let schema = json!({
                "$schema": dialect,
                folder: definitions,
                "allOf": [{"$ref": format!("#/{folder}/{name}")}],
            });
            jsonschema::options().should_validate_formats(false).build(&schema).ok()
        });
        match validator {
            Some(validator) => match validator.validate(value) {
                Ok(()) => Vec::new(),
                Err(error) => {
                    vec![format!("{name}{} {}", error.instance_path(), cut(&error.to_string()))]
                }
            },
            None => vec![format!("{name} does not compile")],
        }
    }
}

fn method_of(definition: &Value) -> Option<&str> {
    definition.pointer("/properties/method/const").and_then(Value::as_str)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn cut(text: &str) -> String {
    text.chars().take(120).collect()
}
