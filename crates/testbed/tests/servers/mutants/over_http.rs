//! A client over HTTP that tries what a client must not do, once per revision.

use proofmark_testbed::Mutant;
use serde_json::{Value, json};

use crate::client::{STATELESS, call, hello, request, stateless};
use crate::http_client::Listening;

const EVIL: (&str, &str) = ("Origin", "http://evil.example");
const JSON: (&str, &str) = ("Content-Type", "application/json");
const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");

/// Whether the defect showed.
pub(super) fn shows(mutant: &Mutant, revision: &'static str) -> bool {
    let server = Listening::start(&[&mutant.server, "--http", "0", "--mutant", &mutant.id]);
    if revision == STATELESS {
        modern(&server)
    } else {
        legacy(&server, revision)
    }
    fired(mutant, server)
}

pub(super) fn shows_over_sse(mutant: &Mutant, revision: &'static str) -> bool {
    let server = Listening::start(&[&mutant.server, "--sse", "0", "--mutant", &mutant.id]);
    server.get(&[EVIL]);
    let mut stream = server.get(&[]);
    // A stream without the event is what one of the mutants is about.
    let path = stream.next_field("data").expect("an endpoint");
    let hello = request(&json!(1), "initialize", hello(revision, json!({}))).to_string();
    server.send("POST", &path, &[JSON], &hello);
    fired(mutant, server)
}

fn fired(mutant: &Mutant, server: Listening) -> bool {
    server.end().contains(&format!("mutant {} fired", mutant.id))
}

fn legacy(server: &Listening, revision: &str) {
    let greet = request(&json!(1), "initialize", hello(revision, json!({})));
    let opened = server.post(&[], &greet);
    let session = opened.header("mcp-session-id").expect("a session").to_owned();
    let (session, version) =
        (("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", revision));
    let list = request(&json!(2), "tools/list", json!({}));
    server.post(&[session], &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server.post(&[session, version], &list);
    server.post(&[session], &list);
    server.post(&[version], &list);
    server.post(&[session, ("MCP-Protocol-Version", "1999-01-01")], &list);
    server.post(&[session, version, EVIL], &list);
    server.post(
        &[session, version],
        &json!({ "jsonrpc": "2.0", "method": "notifications/x", "params": 5 }),
    );
    server.send("POST", &server.path, &[JSON, ACCEPT, session, version], "{\"jsonrpc\":");
    server.get(&[session, version]);
    server.get(&[session, version, EVIL]);
    server.send("DELETE", &server.path, &[session, version], "");
}

fn modern(server: &Listening) {
    let ask =
        |method: &str, params: Value| request(&json!(1), method, stateless(params, json!({})));
    let list = ask("tools/list", json!({}));
    server.post_stateless(&[], &list);
    server.post_stateless(&[EVIL], &list);
    server.post_stateless(&[("MCP-Protocol-Version", "")], &list);
    server.post_stateless(&[("Mcp-Method", "ping")], &list);
    server.post_stateless(&[("Mcp-Session-Id", "x")], &list);
    server.post_stateless(&[], &ask("foo/bar", json!({})));
    let notes = ask("tools/call", call("list_notes", json!({})));
    server.post_stateless(&[], &notes);
    server.post_stateless(&[("Mcp-Name", "=?base64?bGlzdF9ub3Rlcw==?=")], &notes);
    server.post_stateless(
        &[],
        &ask("tools/call", call("find_tide", json!({ "harbour": "northquay", "day": 1 }))),
    );
    server.post_stateless(&[], &json!({ "jsonrpc": "2.0", "method": "notifications/x" }));
    server.post_stateless(
        &[],
        &json!({ "jsonrpc": "2.0", "method": "notifications/x", "params": 5 }),
    );
    server.send("POST", &server.path, &[JSON, ACCEPT], "{\"jsonrpc\":");
    server.get(&[("MCP-Protocol-Version", STATELESS)]);
}
