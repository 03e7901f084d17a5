//! A client over stdio that uses the whole protocol, once per revision.

use std::time::{Duration, Instant};

use proofmark_testbed::Mutant;
use serde_json::{Value, json};

use crate::client::{STATELESS, Server, call, hello, request, stateless};

const LAST: &str = "the-last-one";

/// Whether the defect showed.
pub(super) fn shows(mutant: &Mutant, revision: &'static str) -> bool {
    let mut server = Server::start(&[&mutant.server, "--mutant", &mutant.id]);
    let (opening, ending) = if revision == STATELESS {
        (modern(), modern_end as fn(bool) -> String)
    } else {
        (legacy(revision), legacy_end as fn(bool) -> String)
    };
    let said = converse(&mut server, &opening);
    if ["task-", "mrtr-"].iter().any(|part| mutant.id.starts_with(part)) {
        go_on(&mut server, &said, ending);
    }
    server.close_stdin();
    if server.exit_within(Duration::from_secs(3)).is_none() {
        let _ = server.child.kill();
    }
    server.stderr().contains(&format!("mutant {} fired", mutant.id))
}

/// What takes up earlier answers: once while the tasks run, once after their end.
fn go_on(server: &mut Server, said: &[Value], ending: fn(bool) -> String) {
    let seen =
        |name: &str, n: usize| said.iter().filter_map(|m| find(m, name)).nth(n).unwrap_or_default();
    for over in [false, true] {
        let lines = ending(over)
            .replace("$FIRST", &seen("taskId", 0))
            .replace("$SECOND", &seen("taskId", 1))
            .replace("$STATE", &seen("requestState", 0));
        converse(server, &lines.lines().map(str::to_owned).collect::<Vec<_>>());
        std::thread::sleep(Duration::from_millis(400));
    }
}

/// Says all lines and listens until the last is answered, or no answer can be expected.
fn converse(server: &mut Server, lines: &[String]) -> Vec<Value> {
    for line in lines {
        server.send_raw(line);
    }
    let since = Instant::now();
    let mut said = Vec::new();
    while since.elapsed() < Duration::from_secs(3) {
        let Some(line) = server.line_within(Duration::from_secs(1)) else { break };
        if line.contains(LAST) {
            break;
        }
        said.extend(serde_json::from_str::<Value>(&line));
    }
    said
}

/// The text under this name, wherever it is.
fn find(value: &Value, name: &str) -> Option<String> {
    match value {
        Value::Object(map) => match map.get(name).and_then(Value::as_str) {
            Some(text) => Some(text.to_owned()),
            None => map.values().find_map(|v| find(v, name)),
        },
        Value::Array(list) => list.iter().find_map(|v| find(v, name)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// What is asked in every revision.
fn questions() -> Vec<(&'static str, Value)> {
    let about = |reference: Value, value: &str| json!({ "ref": reference, "argument": { "name": "bird", "value": value } });
    let bird = json!({ "type": "ref/prompt", "name": "describe_bird" });
    let mut context = about(bird.clone(), "h");
    context["context"] = json!({ "arguments": {} });
    let progress = |mut call: Value| {
        call["_meta"] = json!({ "progressToken": 7 });
        call
    };
    let read = |uri: &str| json!({ "uri": uri });
    vec![
        ("tools/list", json!({})),
        ("tools/list", json!({ "cursor": "dG9vbHM6MTA" })),
        ("tools/list", json!({ "cursor": "dG9vbHM6MTA" })),
        ("tools/list", json!({ "cursor": "%%bogus%%" })),
        ("tools/call", json!({})),
        ("tools/call", json!({ "name": "list_notes", "arguments": [] })),
        ("tools/call", call("no_such_tool", json!({}))),
        ("tools/call", call("list_notes", json!({}))),
        ("tools/call", call("list_notes", json!({ "limit": "many" }))),
        ("tools/call", call("read_note", json!({ "id": "note-999" }))),
        ("tools/call", call("create_note", json!({ "title": "Käuzchen", "body": "🦉" }))),
        ("tools/call", call("search_notes", json!({ "query": "Käuzchen" }))),
        ("tools/call", call("get_sketch", json!({}))),
        ("tools/call", call("list_roots", json!({}))),
        ("tools/call", call("read_private_note", json!({}))),
        ("tools/call", progress(call("check_hedges", json!({})))),
        ("tools/call", call("rewrite_note", json!({ "id": "note-1", "body": "New." }))),
        ("tools/call", call("pin_note", json!({ "id": "note-1" }))),
        ("tools/call", call("set_season", json!({ "season": "winter" }))),
        ("tools/call", call("survey_valley", json!({ "duration_ms": 0 }))),
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({})),
        ("resources/read", read("guide://birds")),
        ("resources/read", read("guide://cover")),
        ("resources/read", read("nope://missing")),
        ("resources/read", read("file:///etc/passwd")),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "describe_bird", "arguments": { "bird": "{{7*7}}" } })),
        ("prompts/get", json!({ "name": "describe_bird", "arguments": { "bird": "wren" } })),
        ("prompts/get", json!({ "name": "describe_bird" })),
        ("prompts/get", json!({ "name": "no_such_prompt" })),
        ("completion/complete", about(bird.clone(), "")),
        ("completion/complete", about(bird, "/")),
        ("completion/complete", context),
        ("completion/complete", about(json!({ "type": "ref/prompt", "name": "none" }), "")),
        ("ping", json!({})),
        ("foo/bar", json!({})),
    ]
}

fn asked(params: impl Fn(Value) -> Value) -> Vec<String> {
    let each = (1..).zip(questions());
    each.map(|(id, (method, p))| request(&json!(id), method, params(p)).to_string()).collect()
}

fn broken() -> Vec<String> {
    [
        r#"{"jsonrpc":"#,
        "{}",
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99999}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/nothing"}"#,
    ]
    .map(str::to_owned)
    .to_vec()
}

fn last(params: Value) -> String {
    request(&json!(LAST), "no/more", params).to_string()
}

fn legacy(revision: &str) -> Vec<String> {
    let greet = |revision: &str, client: Value| {
        request(&json!("hello"), "initialize", hello(revision, client)).to_string()
    };
    let ask =
        |id: i64, method: &str, params: Value| request(&json!(id), method, params).to_string();
    let reply = |id: &str, result: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
    };
    let mut lines = vec![
        greet("1999-01-01", json!({})),
        greet(revision, json!({})),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
    ];
    lines.extend(broken());
    let ping = |id: i64| request(&json!(id), "ping", json!({}));
    let inside = request(&json!(9), "initialize", hello(revision, json!({})));
    lines.extend([json!([ping(1), ping(2)]), json!([inside, ping(2)])].map(|b| b.to_string()));
    lines.extend(["debug", "loud"].map(|l| ask(50, "logging/setLevel", json!({ "level": l }))));
    lines.push(ask(51, "resources/subscribe", json!({ "uri": "notes://note-1" })));
    lines.extend(asked(|params| params));
    let all = json!({ "sampling": {}, "roots": {}, "elicitation": { "form": {}, "url": {} } });
    lines.push(greet(revision, all));
    let walk = || call("find_walk", json!({ "distance_km": 5 }));
    lines.extend([
        ask(60, "tools/call", call("summarize_note", json!({ "id": "note-1" }))),
        ask(61, "tools/call", walk()),
        ask(62, "tools/call", walk()),
        ask(63, "tools/call", walk()),
        ask(64, "tools/call", call("show_almanac", json!({}))),
        reply("ask-2", json!({ "action": "decline" })),
        reply("ask-3", json!({ "action": "accept", "content": { "mud": 5 } })),
        json!({ "jsonrpc": "2.0", "id": "ask-4", "error": { "code": -1, "message": "no" } })
            .to_string(),
    ]);
    let as_task = |tool: &str| {
        let mut call = call(tool, json!({}));
        call["task"] = json!({});
        call
    };
    lines.extend([
        ask(70, "tools/call", call("compile_report", json!({}))),
        ask(71, "tools/call", as_task("list_notes")),
        ask(72, "tasks/get", json!({ "taskId": "none" })),
        ask(73, "tools/call", as_task("survey_valley")),
        ask(74, "tools/call", as_task("survey_valley")),
        ask(75, "tasks/list", json!({})),
        last(json!({})),
    ]);
    lines
}

/// The first task is cancelled while it runs, the second too late.
fn legacy_end(over: bool) -> String {
    let ask = |method: &str, task: &str| {
        request(&json!(method), method, json!({ "taskId": task })).to_string()
    };
    let cancelled = if over { "$SECOND" } else { "$FIRST" };
    [
        ask("tasks/result", "$SECOND"),
        ask("tasks/get", "$SECOND"),
        ask("tasks/cancel", cancelled),
        last(json!({})),
    ]
    .join("\n")
}

fn everything() -> Value {
    json!({
        "sampling": {}, "roots": {}, "elicitation": { "form": {}, "url": {} },
        "extensions": { "io.modelcontextprotocol/tasks": {} },
    })
}

fn modern() -> Vec<String> {
    let mut lines = broken();
    let ask = |method: &str, params: Value| request(&json!(method), method, params).to_string();
    let nothing = |params: Value| stateless(params, json!({}));
    let able = |params: Value| stateless(params, everything());
    let mut resumed = call("find_walk", json!({ "distance_km": 5 }));
    resumed["requestState"] = json!("v1.bogus");
    lines.extend([
        ask("tools/call", able(resumed)),
        ask("tools/call", nothing(call("read_note", json!({ "id": "note-1" })))),
        ask("tools/list", nothing(json!({}))),
        ask("server/discover", nothing(json!({}))),
        ask("initialize", hello("2025-11-25", json!({}))),
    ]);
    let mut other = nothing(json!({}));
    other["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    let mut without = nothing(json!({}));
    without["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": STATELESS });
    let logging = |level: &str| {
        let mut params = nothing(call("check_hedges", json!({})));
        params["_meta"]["io.modelcontextprotocol/logLevel"] = json!(level);
        params
    };
    let listen = json!({ "notifications": { "resourceSubscriptions": ["notes://note-1"] } });
    lines.extend([
        ask("tools/list", other),
        ask("tools/list", without),
        ask("tools/call", logging("debug")),
        ask("tools/call", logging("loud")),
        ask("subscriptions/listen", nothing(listen)),
    ]);
    lines.extend(asked(|mut params| {
        let token = params["_meta"]["progressToken"].take();
        let mut params = nothing(params);
        if !token.is_null() {
            params["_meta"]["progressToken"] = token;
        }
        params
    }));
    lines.extend([
        ask("logging/setLevel", nothing(json!({ "level": "debug" }))),
        ask("tasks/list", nothing(json!({}))),
        ask("tasks/get", nothing(json!({ "taskId": "none" }))),
        ask("tasks/get", able(json!({ "taskId": "none" }))),
        ask("tools/call", able(call("find_walk", json!({ "distance_km": 5 })))),
        ask("tools/call", able(call("read_private_note", json!({})))),
        ask("tools/call", able(call("survey_valley", json!({})))),
        ask("tools/call", able(call("survey_valley", json!({})))),
        last(nothing(json!({}))),
    ]);
    lines
}

fn modern_end(_: bool) -> String {
    let ask = |method: &str, params: Value| {
        request(&json!(method), method, stateless(params, everything())).to_string()
    };
    let task = || json!({ "taskId": "$FIRST" });
    let mut retry = call("find_walk", json!({ "distance_km": 5 }));
    retry["requestState"] = json!("$STATE");
    retry["inputResponses"] = json!({});
    let mut update = task();
    update["inputResponses"] = json!({});
    [
        ask("tools/call", retry),
        ask("tasks/get", task()),
        ask("tasks/update", update),
        ask("tasks/cancel", json!({ "taskId": "$SECOND" })),
        last(stateless(json!({}), json!({}))),
    ]
    .join("\n")
}
