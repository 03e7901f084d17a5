//! The headers with which 2026-07-28 repeats the body: left out, wrong, written otherwise; and what
//! older revisions had and this one has not.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::evidence::{Evidence, Tool};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::http::{Room, rooms};
use crate::probes::valid_call;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "http-stateless", hostile: false, lane: Lane::Alone, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let stateless = rooms(evidence).into_iter().find(|room| room.revision.is_stateless());
    let Some(room) = stateless else { return Vec::new() };
    let mut calls = requests(&room);
    calls.extend(
        reading(evidence)
            .find(|(tool, _)| marks(tool).is_none())
            .into_iter()
            .flat_map(|(tool, arguments)| named(&room, tool, &arguments)),
    );
    calls.extend(
        reading(evidence)
            .find_map(|(tool, arguments)| {
                let (property, mark) = marks(tool)?;
                Some(marked(&room, tool, arguments, &property, &mark))
            })
            .into_iter()
            .flatten(),
    );
    calls
}

fn requests(room: &Room) -> Vec<Call> {
    let hello = |label: &str, name: &str, value: &str| room.hello(label, &[(name, value)]);
    let old = [("Mcp-Session-Id", "proofmark-old-session"), ("Last-Event-ID", "7")];
    let all = json!({"notifications": {"toolsListChanged": true}});
    vec![
        hello("no version", "MCP-Protocol-Version", ""),
        hello("other version", "MCP-Protocol-Version", "2025-11-25"),
        hello("no method", "Mcp-Method", ""),
        hello("other method", "Mcp-Method", "tools/list"),
        hello("method in capitals", "Mcp-Method", "SERVER/DISCOVER"),
        hello("method in spaces", "Mcp-Method", "  server/discover  "),
        room.hello("old session", &old),
        room.http("DELETE", "DELETE", None, &[]),
        room.ask("listening", "subscriptions/listen", all, &[]),
    ]
}

fn named(room: &Room, tool: &Tool, arguments: &Value) -> Vec<Call> {
    let call = |label: &str, name: Option<&str>| {
        let params = json!({"name": tool.name, "arguments": arguments});
        let header = name.map(|name| ("Mcp-Name", name));
        room.ask(label, "tools/call", params, header.as_slice())
    };
    let encoded = sentinel(&tool.name);
    vec![
        call("call", None),
        call("no name", Some("")),
        call("other name", Some("proofmark-other")),
        call("encoded name", Some(&encoded)),
    ]
}

fn sentinel(text: &str) -> String {
    format!("=?base64?{}?=", STANDARD.encode(text))
}

/// The parameter that has to be repeated in a header, with the name it has there.
fn marks(tool: &Tool) -> Option<(String, String)> {
    tool.parameters().find_map(|(property, schema)| {
        let mark = schema.get("x-mcp-header")?.as_str()?;
        Some((property.to_owned(), mark.to_owned()))
    })
}

fn marked(room: &Room, tool: &Tool, arguments: Value, property: &str, mark: &str) -> Vec<Call> {
    let mut arguments = arguments;
    let header = format!("Mcp-Param-{mark}");
    let value = match arguments.get(property).filter(|v| !v.is_null()) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => {
            let schema = tool.parameters().find(|(name, _)| *name == property);
            let Some(default) = schema.and_then(|(_, s)| s.get("default")) else {
                return Vec::new();
            };
            arguments[property] = default.clone();
            default.as_str().map_or_else(|| default.to_string(), str::to_owned)
        }
    };
    let call = |label: &str, value: &str| {
        let params = json!({"name": tool.name, "arguments": arguments});
        room.ask(label, "tools/call", params, &[(header.as_str(), value)])
    };
    vec![
        call("parameter repeated", &value),
        call("parameter encoded", &sentinel(&value)),
        call("parameter not repeated", ""),
        call("parameter contradicted", "proofmark-other"),
    ]
}

/// Tools that only read and are known to work, with the arguments they took.
fn reading(evidence: &Evidence) -> impl Iterator<Item = (&Tool, Value)> {
    let reads = |tool: &&Tool| evidence.risk_of(&tool.name) == Risk::Reads;
    evidence.tools().filter(reads).filter_map(|tool| {
        let working = valid_call::working(evidence, &tool.name)?;
        Some((tool, working.arguments()?.clone()))
    })
}
