//! `tools/call`: validation, the call, and what a tool still needs from the client.

use serde_json::{Value, json};

use super::session::Waiting;
use super::terms::Terms;
use super::{Server, Session, Turn, stateless};
use crate::ask::{self, Ask, Otherwise, QUESTION};
use crate::revision::Revision;
use crate::rpc::{self, MISSING_CLIENT_CAPABILITY, Refusal};
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
    let complaints = tool.complaints(&arguments);
    if !complaints.is_empty() {
        return rejecting(server, terms, id, &complaints.join("; "));
    }
    let (name, run) = (tool.name.clone(), tool.run);
    let answer = match run {
        Run::Answers(run) => run,
        Run::Asks(run) if terms.revision.is_stateless() => {
            let ask = run(&server.world, &arguments);
            return ask_by_result(server, terms, id, params, &name, &arguments, ask);
        }
        Run::Asks(run) => {
            let ask = run(&server.world, &arguments);
            let waiting = Waiting { request: id, tool: name, arguments, ask };
            return ask_by_request(server, session, terms, waiting);
        }
    };
    let mut aside = Aside::default();
    let answer = answer(&mut server.world, &arguments, &mut aside);
    let mut turn = finished(server, terms, id, answer);
    turn.says.splice(0..0, terms.relay(server.name, params, aside));
    turn
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
    let offered = |t: &&Tool| t.name == name && t.since <= terms.revision;
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

fn finished(server: &Server, terms: &Terms, id: Value, answer: Answer) -> Turn {
    let text = |text: String| json!([{ "type": "text", "text": text }]);
    let (mut result, data) = match answer {
        Answer::Text(says) => (json!({ "content": text(says) }), None),
        Answer::Data(data) => (json!({ "content": text(data.to_string()) }), Some(data)),
        Answer::Shown { mut blocks, data } => {
            blocks.push(json!({ "type": "text", "text": data.to_string() }));
            (json!({ "content": blocks }), Some(data))
        }
        Answer::Failure(why) => (json!({ "content": text(why), "isError": true }), None),
    };
    if let (Some(data), true) = (data, terms.revision >= Revision::V2025_06_18) {
        result["structuredContent"] = data;
    }
    Turn::answering(id, stateless::dressed(server, terms, "tools/call", result))
}

fn without(server: &Server, terms: &Terms, id: Value, ask: &Ask) -> Turn {
    let capability = ask.kind.capability();
    match &ask.otherwise {
        Otherwise::Answer(data) => finished(server, terms, id, Answer::Data(data.clone())),
        Otherwise::Refuse if terms.revision.is_stateless() => {
            let data = json!({ "requiredCapabilities": { capability: {} } });
            let why = format!("this call needs a client with the {capability} capability");
            Turn::refusing(Some(id), Refusal::new(MISSING_CLIENT_CAPABILITY, why).with(data))
        }
        Otherwise::Refuse => {
            let why = format!("this tool needs a client with the {capability} capability");
            finished(server, terms, id, Answer::Failure(why))
        }
    }
}

fn ask_by_request(server: &Server, session: &mut Session, terms: &Terms, waiting: Waiting) -> Turn {
    let id = waiting.request.clone();
    if !terms.may_ask || !waiting.ask.kind.is_offered_by(&terms.client, terms.revision) {
        return without(server, terms, id, &waiting.ask);
    }
    let method = waiting.ask.kind.method();
    let params = waiting.ask.kind.params(terms.revision);
    let question = session.wait(waiting);
    let says = vec![rpc::request(&question, method, params)];
    Turn { of: Some(id), says, open: true, bad_arguments: false }
}

/// The first round hands out the question; the second brings the answer and the sealed state.
fn ask_by_result(
    server: &mut Server,
    terms: &Terms,
    id: Value,
    params: &Value,
    tool: &str,
    arguments: &Value,
    ask: Ask,
) -> Turn {
    if !ask.kind.is_offered_by(&terms.client, terms.revision) {
        return without(server, terms, id, &ask);
    }
    let state = ask::seal(tool, arguments);
    let reply = params["inputResponses"].get(QUESTION);
    let stale = params.get("requestState").is_some_and(|s| *s != state);
    if stale || (reply.is_some() && params.get("requestState").is_none()) {
        let why = "`requestState` does not belong to this call; start it again without one";
        return Turn::refusing(Some(id), Refusal::invalid_params(why));
    }
    let Some(reply) = reply else {
        let question = json!({
            "method": ask.kind.method(),
            "params": ask.kind.params(terms.revision),
        });
        let result = json!({
            "resultType": "input_required",
            "inputRequests": { QUESTION: question },
            "requestState": state,
        });
        return Turn::answering(id, stateless::dressed(server, terms, "tools/call", result));
    };
    if let Some(why) = ask.kind.complaint(reply) {
        return Turn::refusing(Some(id), Refusal::invalid_params(why));
    }
    let answer = (ask.then)(&mut server.world, arguments, reply);
    finished(server, terms, id, answer)
}

/// The client answered one of our requests: the call that waited for it can end.
pub(super) fn resume(
    server: &mut Server,
    session: &mut Session,
    id: &Value,
    outcome: Result<Value, Value>,
) -> Turn {
    let waiting = id.as_str().and_then(|id| session.waiting.remove(id));
    let (Some(Waiting { request, tool, arguments, ask }), Some(revision)) =
        (waiting, session.revision)
    else {
        return Turn::default();
    };
    let answer = match outcome {
        Ok(reply) => match ask.kind.complaint(&reply) {
            None => (ask.then)(&mut server.world, &arguments, &reply),
            Some(why) => Answer::Failure(format!("{tool}: {why}")),
        },
        Err(error) => {
            let why = error["message"].as_str().unwrap_or("no reason given");
            Answer::Failure(format!("{tool}: the client refused {}: {why}", ask.kind.method()))
        }
    };
    let client = session.client.clone();
    let terms = Terms { revision, client, log_level: None, may_ask: false };
    finished(server, &terms, request, answer)
}
