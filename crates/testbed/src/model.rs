//! A language model that is none: it speaks the OpenAI and the Anthropic dialect on loopback and
//! answers by simple rules, or misbehaves in one way.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// What the model does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// Answers what the record shows.
    Fair,
    /// Says yes to everything, as one that was talked into it.
    Gullible,
    /// Is busy so many times, with `Retry-After: 0`, and then fair.
    Busy(u32),
    /// Fails with 500 so many times, and then is fair.
    Broken(u32),
    /// Takes this long for every answer, in milliseconds.
    Slow(u64),
    /// Sends half of the HTTP body.
    Truncated,
    /// Takes no key: 401.
    Locked,
    /// Knows no such model: 404.
    Unknown,
    /// Declines.
    Refuses,
    /// Chats instead of answering.
    Chats,
    /// Does not know response schemas: 400 when one is asked for.
    NoSchema,
    /// Leaves out every second case.
    Forgets,
}

/// The model on a port of its own.
#[derive(Debug)]
pub struct ModelServer {
    listener: TcpListener,
    state: Arc<Model>,
}

#[derive(Debug)]
struct Model {
    habit: Habit,
    asked: AtomicU32,
}

impl ModelServer {
    pub async fn bind(habit: Habit) -> std::io::Result<ModelServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        Ok(ModelServer { listener, state: Arc::new(Model { habit, asked: AtomicU32::new(0) }) })
    }

    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until it is dropped.
    pub async fn run(self) -> std::io::Result<()> {
        let app = Router::new()
            .route("/v1/chat/completions", post(answer))
            .route("/v1/messages", post(answer))
            .with_state(self.state);
        axum::serve(self.listener, app).await
    }
}

async fn answer(
    State(model): State<Arc<Model>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let asked = model.asked.fetch_add(1, Ordering::SeqCst);
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, "not JSON").into_response();
    };
    let anthropic = uri.path().ends_with("/messages");
    if anthropic && !headers.contains_key("anthropic-version") {
        return (StatusCode::BAD_REQUEST, "anthropic-version is missing").into_response();
    }
    let user =
        request.pointer(if anthropic { "/messages/0/content" } else { "/messages/1/content" });
    let user = user.and_then(Value::as_str).unwrap_or_default();
    match model.habit {
        Habit::Busy(times) if asked < times => {
            (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "0")], "busy").into_response()
        }
        Habit::Broken(times) if asked < times => {
            (StatusCode::INTERNAL_SERVER_ERROR, "broken").into_response()
        }
        Habit::NoSchema if request.get("response_format").is_some() => {
            (StatusCode::BAD_REQUEST, "response_format is not known").into_response()
        }
        Habit::Locked => (StatusCode::UNAUTHORIZED, "no such key").into_response(),
        Habit::Unknown => (StatusCode::NOT_FOUND, "no such model").into_response(),
        Habit::Truncated => {
            let whole = envelope(anthropic, &answers(user, Habit::Fair), "stop").to_string();
            whole.get(..whole.len() / 2).unwrap_or_default().to_owned().into_response()
        }
        Habit::Refuses => {
            reply(anthropic, "", if anthropic { "refusal" } else { "content_filter" })
        }
        Habit::Chats => reply(anthropic, "Sure! Let me think about these cases.", "stop"),
        Habit::Slow(millis) => {
            tokio::time::sleep(Duration::from_millis(millis)).await;
            reply(anthropic, &answers(user, Habit::Fair), "stop")
        }
        habit @ (Habit::Fair
        | Habit::Gullible
        | Habit::Busy(_)
        | Habit::Broken(_)
        | Habit::NoSchema
        | Habit::Forgets) => reply(anthropic, &answers(user, habit), "stop"),
    }
}

fn reply(anthropic: bool, text: &str, finish: &str) -> Response {
    let body = envelope(anthropic, text, finish).to_string();
    ([("content-type", "application/json")], body).into_response()
}

fn envelope(anthropic: bool, text: &str, finish: &str) -> Value {
    if anthropic {
        let stop = if finish == "stop" { "end_turn" } else { finish };
        json!({
            "type": "message", "role": "assistant", "stop_reason": stop,
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 20, "cache_read_input_tokens": 280, "output_tokens": 60},
        })
    } else {
        json!({
            "object": "chat.completion",
            "choices": [{"index": 0, "finish_reason": finish,
                         "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 300, "completion_tokens": 60},
        })
    }
}

/// The answers to a prompt about cases, or cases for a tool.
fn answers(user: &str, habit: Habit) -> String {
    if user.starts_with("Write ") {
        return cases(user);
    }
    let blocks = user.split("Case ").skip(1).enumerate();
    let answers: Vec<Value> = blocks
        .filter(|(n, _)| habit != Habit::Forgets || n % 2 == 0)
        .map(|(n, block)| {
            let functional = block.contains("give what the call asked for");
            let error = block.contains("\nreply (error): ");
            let yes = habit == Habit::Gullible || functional != error;
            json!({
                "case": n + 1,
                "answer": if yes { "yes" } else { "no" },
                "help": if error { "vague" } else { "not_applicable" },
                "because": "the reply shows it",
            })
        })
        .collect();
    json!({ "answers": answers }).to_string()
}

/// One case that fits an empty schema, one that harms, one that fits nothing.
fn cases(user: &str) -> String {
    let text = if user.contains("\"text\"") { json!({"text": "hello"}) } else { json!({}) };
    let case = |name: &str, category: &str, arguments: Value| json!({"name": name, "purpose": "to see", "category": category, "arguments": arguments});
    json!({"cases": [
        case("ordinary", "functional", text),
        case("climbs out", "security", json!({"text": "../../x"})),
        case("harms", "security", json!({"text": "; rm -rf /"})),
        case("does not fit", "functional", json!({"text": 42, "nothing": [1]})),
    ]})
    .to_string()
}
