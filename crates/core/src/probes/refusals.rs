//! What has to be refused, in every revision: unknown names, URIs that lead nowhere, malformed
//! requests.

use serde_json::{Map, Value, json};

use super::valid_call;
use crate::evidence::{CanaryPlace, Evidence, Subject};
use crate::probe::{Call, Lane, Probe, Risk, Send};
use crate::revision::Revision;
use crate::seed::Seed;
use crate::spec::sides::{self, tagged};

pub const PROBE: Probe = Probe { id: "refusals", hostile: false, lane: Lane::Alone, plan };

/// Labels, before the revision.
pub const NO_NAME: &str = "call without a name";
pub const TEXT: &str = "call with arguments \"text\"";
pub const LIST: &str = "call with arguments []";
pub const RESOURCE: &str = "unknown resource";
pub const PROMPT: &str = "unknown prompt";
pub const UNARGUED: &str = "prompt without its arguments";
pub const EXPRESSIONS: &str = "prompt with expressions";
pub const REFERENCE: &str = "completion of an unknown prompt";
pub const UNNAMED: &str = "completion without an argument";
pub const PREFIX: &str = "completion of a path";
pub const ROOT: &str = "completion of the root folder";
pub const LEVEL: &str = "log level \"loud\"";

/// What a template engine would make `49pmx49z` of. Braces first: some look at nothing else.
pub const EXPRESSION: &str = "{{7*7}}pmx${7*7}z";
pub const EVALUATED: [&str; 2] = ["49pmx", "pmx49z"];

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let mut calls = Vec::new();
    for (revision, on) in sides::spoken(evidence) {
        let asked = requests(evidence, revision).into_iter().map(|(what, method, params)| {
            let send = Send::request(method, Some(params));
            Call::new(Subject::Server, tagged(&what, revision), send).on(on)
        });
        calls.extend(asked);
    }
    calls
}

type Request = (String, &'static str, Value);

fn requests(evidence: &Evidence, revision: Revision) -> Vec<Request> {
    let declared = evidence.handshake.as_ref().map(|h| &h.capabilities);
    let has = |capability: &str| declared.is_some_and(|c| c.get(capability).is_some());
    let mut all: Vec<Request> = Vec::new();
    if has("tools") {
        all.extend(calls(evidence));
    }
    if has("resources") {
        let unknown = (RESOURCE.to_owned(), "resources/read", json!({"uri": "nope://missing"}));
        all.push(unknown);
        let odd = |(what, uri): (String, String)| (what, "resources/read", json!({ "uri": uri }));
        all.extend(odd_uris(evidence).into_iter().map(odd));
    }
    if has("prompts") {
        all.extend(prompts(evidence));
    }
    if has("completions") {
        all.extend(completions(evidence));
    }
    if revision.is_stateless() {
        let meta = json!({"io.modelcontextprotocol/logLevel": "loud"});
        all.push((LEVEL.to_owned(), "tools/list", json!({ "_meta": meta })));
    }
    all
}

/// Calls that are none. Only of a tool that may be called, should one of them be taken for good.
fn calls(evidence: &Evidence) -> Vec<Request> {
    let mut all = vec![(NO_NAME.to_owned(), "tools/call", json!({"arguments": {}}))];
    let reads = |name: &&str| evidence.risk_of(name) == Risk::Reads;
    let working = |name: &&str| valid_call::succeeded(evidence, name);
    let tool = evidence.tools().map(|t| t.name.as_str()).filter(reads).find(working);
    if let Some(name) = tool {
        let call = |arguments: Value| json!({"name": name, "arguments": arguments});
        all.push((TEXT.to_owned(), "tools/call", call(json!("text"))));
        all.push((LIST.to_owned(), "tools/call", call(json!([]))));
    }
    all
}

/// URIs that no server should read: nothing, no URI, and a file of ours outside of its reach.
pub fn odd_uris(evidence: &Evidence) -> Vec<(String, String)> {
    let outside = evidence.conditions.canaries.iter().find_map(|c| match &c.place {
        CanaryPlace::Outside { path } => Some(path.as_str()),
        CanaryPlace::Inside { .. } | CanaryPlace::Env { .. } => None,
    });
    let mut uris = vec![
        ("read an empty URI".to_owned(), String::new()),
        ("read a relative path".to_owned(), "../../outside".to_owned()),
    ];
    if let Some(path) = outside {
        let workspace = evidence.conditions.workspace.trim_end_matches('/');
        let up = "/..".repeat(workspace.matches('/').count());
        let encoded = up.replace("..", "%2e%2e");
        uris.push(("read a file outside".to_owned(), format!("file://{path}")));
        let climbing = format!("file://{workspace}{up}{path}");
        uris.push(("read by climbing out".to_owned(), climbing));
        let hidden = format!("file://{workspace}{encoded}{path}");
        uris.push(("read by climbing out, encoded".to_owned(), hidden));
    }
    uris
}

fn prompts(evidence: &Evidence) -> Vec<Request> {
    let mut all = vec![(PROMPT.to_owned(), "prompts/get", json!({"name": "no_such_prompt_7f3a"}))];
    let prompts = &evidence.inventory.prompts;
    if let Some(prompt) = prompts.iter().find(|p| p.arguments.iter().any(|a| a.required)) {
        let params = json!({"name": prompt.name, "arguments": {}});
        all.push((UNARGUED.to_owned(), "prompts/get", params));
    }
    if let Some(prompt) = prompts.iter().find(|p| !p.arguments.is_empty()) {
        let arguments: Map<String, Value> =
            prompt.arguments.iter().map(|a| (a.name.clone(), json!(EXPRESSION))).collect();
        let params = json!({"name": prompt.name, "arguments": arguments});
        all.push((EXPRESSIONS.to_owned(), "prompts/get", params));
    }
    all
}

fn completions(evidence: &Evidence) -> Vec<Request> {
    let method = "completion/complete";
    let unknown = json!({"type": "ref/prompt", "name": "no_such_prompt_7f3a"});
    let argument = json!({"name": "name", "value": ""});
    let mut all =
        vec![(REFERENCE.to_owned(), method, json!({"ref": unknown, "argument": argument}))];
    if let Some(prompt) = evidence.inventory.prompts.iter().find(|p| !p.arguments.is_empty()) {
        let known = json!({"type": "ref/prompt", "name": prompt.name});
        all.push((UNNAMED.to_owned(), method, json!({ "ref": known })));
        let name = prompt.arguments.first().map_or("", |a| a.name.as_str());
        for (what, value) in [(PREFIX, "../../"), (ROOT, "/")] {
            let argument = json!({"name": name, "value": value});
            all.push((what.to_owned(), method, json!({"ref": known, "argument": argument})));
        }
    }
    all
}
