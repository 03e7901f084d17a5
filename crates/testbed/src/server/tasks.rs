//! Calls that run as tasks: a core feature of 2025-11-25, an extension of the stateless revision.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::later::{Later, Work};
use super::listing::page;
use super::terms::Terms;
use super::{Server, Session, Turn, stateless};
use crate::revision::Revision;
use crate::rpc::{METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY, Refusal};
use crate::tool::{TaskSupport, Tool};
use crate::{clock, token};

pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const RELATED_KEY: &str = "io.modelcontextprotocol/related-task";
const USUAL_TTL: u64 = 60_000;
const LONGEST_TTL: u64 = 600_000;
const POLL_MS: u64 = 50;
/// The oldest is dropped when there are more.
const MOST_TASKS: usize = 1000;

#[derive(Debug, Default)]
pub(crate) struct TaskBook {
    tasks: Vec<Task>,
}

#[derive(Debug)]
struct Task {
    id: String,
    created: u64,
    born: Instant,
    takes: Duration,
    ttl: u64,
    /// What the call returns once it is done.
    outcome: Value,
    /// When it was cancelled, if it was.
    cancelled: Option<u64>,
}

/// The retention that was agreed for a call that runs as a task, `None` for one that does not.
pub(super) fn wanted(
    server: &Server,
    terms: &Terms,
    tool: &Tool,
    params: &Value,
) -> Result<Option<u64>, Refusal> {
    if !server.tasks {
        return Ok(None);
    }
    if terms.revision.is_stateless() {
        let can = is_declared(terms) && tool.task != TaskSupport::Forbidden;
        return Ok(can.then_some(USUAL_TTL));
    }
    if terms.revision != Revision::V2025_11_25 {
        return Ok(None);
    }
    match (params.get("task"), tool.task) {
        (None, TaskSupport::Forbidden | TaskSupport::Optional) => Ok(None),
        (None, TaskSupport::Required) => {
            Err(Refusal::new(METHOD_NOT_FOUND, "this tool runs as a task only; send `task`"))
        }
        (Some(_), TaskSupport::Forbidden) => {
            Err(Refusal::new(METHOD_NOT_FOUND, "this tool does not run as a task; omit `task`"))
        }
        (Some(task), TaskSupport::Optional | TaskSupport::Required) => match task.get("ttl") {
            None if task.is_object() => Ok(Some(USUAL_TTL)),
            Some(ttl) if ttl.is_u64() => Ok(ttl.as_u64().map(|ttl| ttl.min(LONGEST_TTL))),
            Some(_) | None => {
                Err(Refusal::invalid_params("`task` must be an object, its `ttl` an integer"))
            }
        },
    }
}

/// Whether the client of this request knows the extension.
fn is_declared(terms: &Terms) -> bool {
    terms.client["extensions"].get(EXTENSION).is_some_and(Value::is_object)
}

/// Files the outcome of a call and answers with a handle to it.
pub(super) fn start(
    server: &mut Server,
    session: &mut Session,
    terms: &Terms,
    id: Value,
    (ttl, takes): (u64, Duration),
    outcome: Value,
) -> Turn {
    let task = Task {
        id: token::fresh(),
        created: clock::seconds(),
        born: Instant::now(),
        takes: takes.max(Duration::from_millis(POLL_MS)),
        ttl,
        outcome,
        cancelled: None,
    };
    let result = if terms.revision.is_stateless() {
        let mut handle = task.handle();
        handle["resultType"] = json!("task");
        stateless::dressed(server, terms, "tools/call", handle)
    } else {
        json!({ "task": task.shown() })
    };
    let book = if terms.revision.is_stateless() { &mut server.handles } else { &mut session.tasks };
    book.file(task);
    Turn::answering(id, result)
}

/// `tasks/get`, `tasks/list` and `tasks/cancel` after a handshake.
pub(super) fn route(
    session: &mut Session,
    page_size: usize,
    method: &str,
    params: &Value,
) -> Result<Value, Refusal> {
    let exclusive = session.exclusive;
    let book = &mut session.tasks;
    match method {
        "tasks/get" => Ok(book.find(params)?.shown()),
        "tasks/cancel" => book.find(params)?.cancel().map(|task| task.shown()),
        "tasks/list" if exclusive => {
            book.drop_expired();
            page("tasks", book.tasks.iter().map(Task::shown).collect(), page_size, params)
        }
        unknown => Err(Refusal::unknown_method(unknown)),
    }
}

/// The methods of the extension.
pub(super) fn route_stateless(
    server: &mut Server,
    terms: &Terms,
    method: &str,
    params: &Value,
) -> Result<Value, Refusal> {
    if !is_declared(terms) {
        let why = "this method is for clients that declare the extension for tasks";
        let data = json!({ "requiredCapabilities": { "extensions": { EXTENSION: {} } } });
        return Err(Refusal::new(MISSING_CLIENT_CAPABILITY, why).with(data));
    }
    let task = server.handles.find(params)?;
    match method {
        "tasks/get" => {
            let mut shown = task.handle();
            if task.is_over() && task.cancelled.is_none() {
                shown["result"] = task.outcome.clone();
            }
            Ok(shown)
        }
        "tasks/cancel" => {
            // Cancelling twice, or too late, is acknowledged like the first time.
            let _ = task.cancel();
            Ok(json!({}))
        }
        // No task here asks for input, so whatever is sent has nothing to resume.
        "tasks/update" => Ok(json!({})),
        unknown => Err(Refusal::unknown_method(unknown)),
    }
}

/// `tasks/result` after a handshake: waits for the end.
pub(super) fn result(session: &mut Session, request: Value, id: &str) -> Turn {
    let task = match session.tasks.find(&json!({ "taskId": id })) {
        Ok(task) => task,
        Err(refusal) => return Turn::refusing(Some(request), refusal),
    };
    if task.cancelled.is_some() {
        let why = Refusal::invalid_params("the task was cancelled; it has no result");
        return Turn::refusing(Some(request), why);
    }
    if task.is_over() {
        let mut result = task.outcome.clone();
        result["_meta"][RELATED_KEY] = json!({ "taskId": id });
        session.active.remove(&request.to_string());
        return Turn::answering(request, result);
    }
    let later = Later {
        after: Duration::from_millis(20),
        work: Work::Result { request: request.clone(), task: id.to_owned() },
    };
    Turn { of: Some(request), later: Some(later), ..Turn::default() }
}

impl TaskBook {
    fn file(&mut self, task: Task) {
        self.drop_expired();
        if self.tasks.len() >= MOST_TASKS {
            self.tasks.remove(0);
        }
        self.tasks.push(task);
    }

    fn drop_expired(&mut self) {
        self.tasks.retain(|task| task.born.elapsed() < Duration::from_millis(task.ttl));
    }

    fn find(&mut self, params: &Value) -> Result<&mut Task, Refusal> {
        self.drop_expired();
        let Some(id) = params["taskId"].as_str() else {
            return Err(Refusal::invalid_params("`taskId` must be a string"));
        };
        let found = self.tasks.iter_mut().find(|task| task.id == id);
        found.ok_or_else(|| Refusal::invalid_params("no such task; it may have expired"))
    }
}

impl Task {
    fn is_over(&self) -> bool {
        self.cancelled.is_some() || self.born.elapsed() >= self.takes
    }

    fn status(&self) -> &'static str {
        match (self.cancelled, self.is_over()) {
            (Some(_), _) => "cancelled",
            (None, false) => "working",
            (None, true) if self.outcome["isError"] == true => "failed",
            (None, true) => "completed",
        }
    }

    fn cancel(&mut self) -> Result<&mut Task, Refusal> {
        if self.is_over() {
            let why = format!("the task is {} and cannot be cancelled", self.status());
            return Err(Refusal::invalid_params(why));
        }
        self.cancelled = Some(clock::seconds());
        Ok(self)
    }

    fn base(&self) -> Value {
        let ended = if self.is_over() { self.created + self.takes.as_secs() } else { self.created };
        json!({
            "taskId": self.id,
            "status": self.status(),
            "createdAt": clock::iso(self.created),
            "lastUpdatedAt": clock::iso(self.cancelled.unwrap_or(ended)),
        })
    }

    fn shown(&self) -> Value {
        let mut shown = self.base();
        shown["ttl"] = json!(self.ttl);
        shown["pollInterval"] = json!(POLL_MS);
        shown
    }

    fn handle(&self) -> Value {
        let mut shown = self.base();
        shown["ttlMs"] = json!(self.ttl);
        shown["pollIntervalMs"] = json!(POLL_MS);
        shown
    }
}
