//! From a message to what the server says to it.

use serde_json::{Value, json};

use super::terms::Terms;
use super::{Server, Session, Turn, asking, completion, handshake, prompts, resources, stateless};
use super::{listing, subscriptions, tasks, tools};
use crate::revision::Revision;
use crate::rpc::{self, INVALID_REQUEST, Incoming, Refusal};

pub(super) fn handle(server: &mut Server, session: &mut Session, message: &Value) -> Turn {
    if let Value::Array(batch) = message {
        return handle_batch(server, session, batch);
    }
    handle_one(server, session, message, true)
}

/// Only one revision has batches; an array is no request in the others.
fn handle_batch(server: &mut Server, session: &mut Session, batch: &[Value]) -> Turn {
    if session.revision != Some(Revision::V2025_03_26) || batch.is_empty() {
        return Turn::refusing(None, Refusal::new(INVALID_REQUEST, "batches are not supported"));
    }
    let mut turn = Turn::default();
    let mut answers = Vec::new();
    for message in batch {
        let one = if message["method"] == "initialize" {
            let why = Refusal::new(INVALID_REQUEST, "initialize must not be part of a batch");
            Turn::refusing(message.get("id").cloned(), why)
        } else {
            handle_one(server, session, message, false)
        };
        turn.of = turn.of.or(one.of);
        turn.bad_arguments |= one.bad_arguments;
        answers.extend(one.says);
    }
    if !answers.is_empty() {
        turn.says.push(Value::Array(answers));
    }
    turn
}

fn handle_one(server: &mut Server, session: &mut Session, message: &Value, alone: bool) -> Turn {
    match Incoming::read(message) {
        Incoming::Request { id, method, params } => {
            answer(server, session, id, &method, &params, alone)
        }
        Incoming::Notification { method, params } => {
            let mut turn = Turn::default();
            if let ("notifications/cancelled", Some(request)) =
                (method.as_str(), params.get("requestId"))
            {
                session.forget(request);
                turn.of = Some(request.clone());
            }
            turn
        }
        Incoming::Mangled { why } => Turn { mangled: Some(why), ..Turn::default() },
        Incoming::Response { id, outcome } => asking::resume(server, session, &id, outcome),
        Incoming::Invalid { id, why } => Turn::refusing(id, Refusal::new(INVALID_REQUEST, why)),
    }
}

fn answer(
    server: &mut Server,
    session: &mut Session,
    id: Value,
    method: &str,
    params: &Value,
    alone: bool,
) -> Turn {
    let terms = if stateless::applies(session, method, params) {
        stateless::terms(server, params)
    } else {
        handshake::terms(session, method, alone)
    };
    let terms = match terms {
        Ok(terms) => terms,
        Err(refusal) => return Turn::refusing(Some(id), refusal),
    };
    if method == "tools/call" {
        return tools::call(server, session, &terms, id, params);
    }
    if method == "subscriptions/listen" && terms.revision.is_stateless() {
        return subscriptions::listen(server, session, id, params);
    }
    if method == "tasks/result" && server.has_tasks(&terms) {
        return tasks::result(session, id, params["taskId"].as_str().unwrap_or_default());
    }
    match route(server, session, &terms, method, params) {
        Ok(result) => {
            let result = stateless::dressed(server, &terms, method, result);
            Turn::answering(id, result)
        }
        Err(refusal) => Turn::refusing(Some(id), refusal),
    }
}

fn route(
    server: &mut Server,
    session: &mut Session,
    terms: &Terms,
    method: &str,
    params: &Value,
) -> Result<Value, Refusal> {
    let stateless = terms.revision.is_stateless();
    match method {
        "initialize" if !stateless => handshake::initialize(server, session, params),
        "ping" if !stateless => Ok(json!({})),
        "logging/setLevel" if !stateless && server.logging => handshake::set_level(session, params),
        "resources/subscribe" if !stateless && server.changes => {
            subscriptions::subscribe(server, session, params, true)
        }
        "resources/unsubscribe" if !stateless && server.changes => {
            subscriptions::subscribe(server, session, params, false)
        }
        "tasks/get" | "tasks/cancel" | "tasks/update" if stateless && server.tasks => {
            tasks::route_stateless(server, terms, method, params)
        }
        "tasks/get" | "tasks/list" | "tasks/cancel" if server.has_tasks(terms) => {
            tasks::route(session, server.page_size, method, params)
        }
        "server/discover" if stateless => Ok(stateless::discover(server, terms)),
        "tools/list" if !server.tools.is_empty() => listing::tools(server, terms, params),
        "resources/list" if server.offers_resources() => listing::resources(server, terms, params),
        "resources/templates/list" if server.offers_resources() => {
            listing::templates(server, terms, params)
        }
        "resources/read" if server.offers_resources() => resources::read(server, terms, params),
        "prompts/list" if !server.prompts.is_empty() => listing::prompts(server, terms, params),
        "prompts/get" if !server.prompts.is_empty() => prompts::get(server, terms, params),
        "completion/complete" if server.completions => completion::complete(server, params),
        unknown => Err(Refusal::unknown_method(unknown)),
    }
}

impl Server {
    fn has_tasks(&self, terms: &Terms) -> bool {
        self.tasks && terms.revision == Revision::V2025_11_25
    }
}

impl Turn {
    pub(super) fn answering(id: Value, result: Value) -> Turn {
        Turn { says: vec![rpc::result(&id, result)], of: Some(id), ..Turn::default() }
    }

    pub(super) fn refusing(id: Option<Value>, refusal: Refusal) -> Turn {
        Turn { says: vec![rpc::error(id.as_ref(), refusal)], of: id, ..Turn::default() }
    }
}
