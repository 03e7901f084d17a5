//! What a tool still needs from the client: asked by request after a handshake, by result without.

use serde_json::{Value, json};

use super::session::Waiting;
use super::terms::Terms;
use super::tools::finished;
use super::{Server, Session, Turn, stateless};
use crate::ask::{self, Ask, Otherwise, QUESTION};
use crate::rpc::{self, MISSING_CLIENT_CAPABILITY, Refusal};
use crate::tool::Answer;

pub(super) fn ask(
    server: &mut Server,
    session: &mut Session,
    terms: &Terms,
    params: &Value,
    waiting: Waiting,
) -> Turn {
    let offered = waiting.ask.kind.is_offered_by(&terms.client, terms.revision);
    if !offered || !terms.may_ask {
        return without(server, terms, waiting.request, &waiting.ask);
    }
    if terms.revision.is_stateless() {
        ask_by_result(server, terms, params, waiting)
    } else {
        ask_by_request(session, terms, waiting)
    }
}

fn without(server: &Server, terms: &Terms, id: Value, ask: &Ask) -> Turn {
    let capability = ask.kind.capability();
    match &ask.otherwise {
        Otherwise::Answer(data) => finished(server, terms, id, Answer::Data(data.clone())),
        Otherwise::Refuse if terms.revision.is_stateless() => {
            let data = json!({ "requiredCapabilities": ask.kind.required() });
            let why = format!("this call needs a client with the {capability} capability");
            Turn::refusing(Some(id), Refusal::new(MISSING_CLIENT_CAPABILITY, why).with(data))
        }
        Otherwise::Refuse => {
            let why = format!("this tool needs a client with the {capability} capability");
            finished(server, terms, id, Answer::Failure(why))
        }
    }
}

fn ask_by_request(session: &mut Session, terms: &Terms, waiting: Waiting) -> Turn {
    let id = waiting.request.clone();
    let method = waiting.ask.kind.method();
    let params = waiting.ask.kind.params(terms.revision);
    let question = session.wait(waiting);
    let says = vec![rpc::request(&question, method, params)];
    Turn { of: Some(id), says, open: true, ..Turn::default() }
}

/// The first round hands out the question; the second brings the answer and the sealed state.
fn ask_by_result(server: &mut Server, terms: &Terms, params: &Value, waiting: Waiting) -> Turn {
    let Waiting { request, tool, arguments, ask } = waiting;
    let reply = match reply(params, &tool, &arguments) {
        Ok(reply) => reply,
        Err(why) => return Turn::refusing(Some(request), Refusal::invalid_params(why)),
    };
    let Some(reply) = reply else {
        let question = json!({
            "method": ask.kind.method(),
            "params": ask.kind.params(terms.revision),
        });
        let result = json!({
            "resultType": "input_required",
            "inputRequests": { QUESTION: question },
            "requestState": ask::seal(&tool, &arguments),
        });
        return Turn::answering(request, stateless::dressed(server, terms, "tools/call", result));
    };
    if let Some(why) = ask.kind.complaint(reply) {
        return Turn::refusing(Some(request), Refusal::invalid_params(why));
    }
    let answer = (ask.then)(&mut server.world, &arguments, reply);
    finished(server, terms, request, answer)
}

/// The answer that a retry brings, if it brings one.
fn reply<'a>(
    params: &'a Value,
    tool: &str,
    arguments: &Value,
) -> Result<Option<&'a Value>, &'static str> {
    if !params.get("inputResponses").is_none_or(Value::is_object) {
        return Err("`inputResponses` must be an object");
    }
    let reply = params["inputResponses"].get(QUESTION);
    match params.get("requestState") {
        None if reply.is_none() => Ok(None),
        Some(Value::String(state)) if ask::is_sealed(state, tool, arguments) => Ok(reply),
        Some(_) | None => {
            Err("`requestState` does not belong to this call; start it again without one")
        }
    }
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
