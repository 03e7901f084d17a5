//! `tools/call`: validation, the call, and the shape of its result.

use serde_json::{Value, json};

use super::session::Waiting;
use super::terms::Terms;
use super::{Server, Session, Turn, asking, later, stateless, tasks};
use crate::revision::Revision;
use crate::rpc::Refusal;
use crate::tool::{Answer, Aside, Run, Tool};

pub(super) fn call(
    server: &mut Server,
    session: &mut Session,
    terms: &Terms,
    id: Value,
    params: &Value,
) -> Turn {
    let (tool, arguments) = match wanted(server, terms, params) {
        Ok(wanted) => wanted,
        Err(refusal) => return Turn::refusing(Some(id), refusal),
    };
    let task = match tasks::wanted(server, terms, tool, params) {
        Ok(task) => task,
        Err(refusal) => return Turn::refusing(Some(id), refusal),
    };
    let complaints = tool.complaints(&arguments);
    if !complaints.is_empty() {
        return rejecting(server, terms, id, &complaints.join("; "));
    }
    let (name, run) = (tool.name.clone(), tool.run);
    let answer = match run {
        Run::Answers(run) => run,
        Run::Asks(run) => {
            let ask = run(&server.world, &arguments);
            let waiting = Waiting { request: id, tool: name, arguments, ask };
            return asking::ask(server, session, terms, params, waiting);
        }
    };
    let mut aside = Aside::default();
    let answer = answer(&mut server.world, &arguments, &mut aside);
    let takes = aside.takes;
    if let Some(ttl) = task {
        let outcome = outcome(server, terms, answer);
        return tasks::start(server, session, terms, id, (ttl, takes), outcome);
    }
    let mut turn = finished(server, terms, id, answer);
    turn.says.splice(0..0, terms.relay(server.name, params, aside));
    // In a batch the answers come together.
    if takes.is_zero() || !terms.may_ask { turn } else { later::paced(session, turn, takes) }
}

fn wanted<'a>(
    server: &'a Server,
    terms: &Terms,
    params: &Value,
) -> Result<(&'a Tool, Value), Refusal> {
    if server.tools.is_empty() {
        return Err(Refusal::unknown_method("tools/call"));
    }
    let Some(name) = params["name"].as_str() else {
        return Err(Refusal::invalid_params("`name` must be a string"));
    };
    let offered = |t: &&Tool| t.name == name && t.is_offered(&server.world, terms.revision);
    let Some(tool) = server.tools.iter().find(offered) else {
        return Err(Refusal::invalid_params(format!("unknown tool: {name}")));
    };
    let arguments = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
    if !arguments.is_object() {
        return Err(Refusal::invalid_params("`arguments` must be an object"));
    }
    Ok((tool, arguments))
}

/// Bad arguments are the tool's own error since 2025-11-25, a protocol error before.
fn rejecting(server: &Server, terms: &Terms, id: Value, why: &str) -> Turn {
    let turn = if terms.revision >= Revision::V2025_11_25 {
        finished(server, terms, id, Answer::Failure(format!("invalid arguments: {why}")))
    } else {
        Turn::refusing(Some(id), Refusal::invalid_params(format!("invalid arguments: {why}")))
    };
    Turn { bad_arguments: true, ..turn }
}

pub(super) fn finished(server: &Server, terms: &Terms, id: Value, answer: Answer) -> Turn {
    Turn::answering(id, outcome(server, terms, answer))
}

fn outcome(server: &Server, terms: &Terms, answer: Answer) -> Value {
    let text = |text: String| json!([{ "type": "text", "text": text }]);
    let (mut result, data) = match answer {
        Answer::Text(says) => (json!({ "content": text(says) }), None),
        Answer::Data(data) => (json!({ "content": text(data.to_string()) }), Some(data)),
        Answer::Shown { mut blocks, data } => {
            blocks.retain(|block| is_known(block, terms.revision));
            blocks.push(json!({ "type": "text", "text": data.to_string() }));
            (json!({ "content": blocks }), Some(data))
        }
        Answer::Failure(why) => (json!({ "content": text(why), "isError": true }), None),
    };
    if let (Some(data), true) = (data, terms.revision >= Revision::V2025_06_18) {
        result["structuredContent"] = data;
    }
    stateless::dressed(server, terms, "tools/call", result)
}

/// Whether the revision has this kind of content block.
fn is_known(block: &Value, revision: Revision) -> bool {
    match block["type"].as_str() {
        Some("audio") => revision >= Revision::V2025_03_26,
        Some("resource_link") => revision >= Revision::V2025_06_18,
        Some(_) | None => true,
    }
}
