//! Calls that take time: progress, logs, pings meanwhile, cancellation, tasks.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{HANDSHAKES, Server, call, code, ready, request, stateless};

fn survey(millis: u64) -> Value {
    call("survey_valley", json!({ "duration_ms": millis }))
}

fn cancel(id: &Value) -> Value {
    let params = json!({ "requestId": id, "reason": "enough" });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
}

#[test]
fn a_ping_is_answered_while_a_tool_runs() {
    let mut server = ready("good");
    server.send(&request(&json!("slow"), "tools/call", survey(500)));
    let since = Instant::now();
    server.ask(1, "ping", json!({}));
    assert!(since.elapsed() < Duration::from_millis(400));
    assert_eq!(server.next()["id"], "slow");
}

#[test]
fn progress_rises_before_the_answer_and_only_for_a_token() {
    let mut server = ready("good");
    let mut params = survey(100);
    params["_meta"] = json!({ "progressToken": 7 });
    server.send(&request(&json!(1), "tools/call", params));
    let mut last = 0;
    loop {
        let said = server.next();
        if said.get("result").is_some() {
            break;
        }
        assert_eq!(said["params"]["progressToken"], 7);
        let progress = said["params"]["progress"].as_u64().expect("a number");
        assert!(progress > last && said["params"]["message"].is_string(), "{said}");
        last = progress;
    }
    assert_eq!(last, 4);
    assert!(server.says_nothing());
    assert!(server.ask(2, "tools/call", survey(100)).get("result").is_some());
}

#[test]
fn a_cancelled_call_says_nothing_more_in_every_revision() {
    for revision in HANDSHAKES {
        let mut server = Server::start(&["good"]);
        server.shake_hands(revision, json!({}));
        server.send(&request(&json!(1), "tools/call", survey(150)));
        server.send(&cancel(&json!(1)));
        assert!(server.says_nothing(), "{revision}");
        server.ask(2, "ping", json!({}));
    }
    let mut server = Server::start(&["good"]);
    server.send(&request(&json!(1), "tools/call", stateless(survey(150), json!({}))));
    server.send(&cancel(&json!(1)));
    assert!(server.says_nothing());
    server.ask(2, "tools/list", stateless(json!({}), json!({})));
}

#[test]
fn cancelling_too_late_or_at_once_does_no_harm() {
    let mut server = ready("good");
    for n in 0..50 {
        server.send(&request(&json!(n), "tools/call", survey(n % 3)));
        server.send(&cancel(&json!(n)));
    }
    let quick = call("count_words", json!({ "text": "" }));
    server.send(&request(&json!("end"), "tools/call", quick));
    let mut seen = Vec::new();
    loop {
        let answer = server.next();
        if answer["id"] == "end" {
            break;
        }
        assert!(!seen.contains(&answer["id"]), "{answer}");
        seen.push(answer["id"].clone());
    }
}

#[test]
fn levels_filter_logs_and_stateless_requests_choose_their_own() {
    let logs = |server: &mut Server, params: Value| {
        server.send(&request(&json!(1), "tools/call", params));
        let mut levels = Vec::new();
        loop {
            let said = server.next();
            match said.get("id") {
                Some(_) => return (levels, said),
                None => levels.push(said["params"]["level"].to_string()),
            }
        }
    };
    let mut server = ready("good");
    for (level, expected) in [("debug", 2), ("warning", 1), ("emergency", 0)] {
        server.ask(0, "logging/setLevel", json!({ "level": level }));
        assert_eq!(logs(&mut server, survey(0)).0.len(), expected, "{level}");
    }
    let with = |level: &str| {
        let mut params = stateless(survey(0), json!({}));
        params["_meta"]["io.modelcontextprotocol/logLevel"] = json!(level);
        params
    };
    let mut server = Server::start(&["good"]);
    assert_eq!(logs(&mut server, with("info")).0.len(), 2);
    assert_eq!(logs(&mut server, stateless(survey(0), json!({}))).0.len(), 0);
    assert_eq!(code(&logs(&mut server, with("loud")).1), -32602);
}

/// Starts a task and returns its id.
fn start(server: &mut Server, mut params: Value) -> String {
    params["task"] = json!({ "ttl": 30_000 });
    let made = server.ask("t", "tools/call", params);
    let task = &made["result"]["task"];
    assert_eq!((&task["status"], &task["ttl"]), (&json!("working"), &json!(30_000)));
    assert!(task["createdAt"].is_string() && task["lastUpdatedAt"].is_string());
    task["taskId"].as_str().expect("an id").to_owned()
}

#[test]
fn a_task_can_be_watched_and_its_result_is_that_of_the_call() {
    let mut server = ready("good");
    let id = start(&mut server, survey(150));
    let about = json!({ "taskId": id });
    assert_eq!(server.ask(1, "tasks/get", about.clone())["result"]["status"], "working");
    let plain = server.ask(2, "tools/call", survey(0));
    let mut result = server.ask(3, "tasks/result", about.clone())["result"].clone();
    let related = &result["_meta"]["io.modelcontextprotocol/related-task"];
    assert_eq!(related["taskId"], id.as_str());
    result.as_object_mut().expect("an object").remove("_meta");
    assert_eq!(result, plain["result"]);
    assert_eq!(server.ask(4, "tasks/get", about.clone())["result"]["status"], "completed");
    assert_eq!(code(&server.ask(5, "tasks/cancel", about)), -32602);
    let listed = server.ask(6, "tasks/list", json!({}));
    assert_eq!(listed["result"]["tasks"][0]["taskId"], id.as_str());
    assert_ne!(id, start(&mut server, call("compile_report", json!({}))));
}

#[test]
fn a_cancelled_task_stays_cancelled_and_has_no_result() {
    let mut server = ready("good");
    let about = json!({ "taskId": start(&mut server, survey(2000)) });
    server.send(&request(&json!("waits"), "tasks/result", about.clone()));
    server.send(&request(&json!(1), "tasks/cancel", about.clone()));
    let mut answers = [server.next(), server.next()];
    answers.sort_by_key(|answer| answer["id"].is_string());
    assert_eq!(answers[0]["result"]["status"], "cancelled");
    assert_eq!((&answers[1]["id"], code(&answers[1])), (&json!("waits"), -32602));
    assert_eq!(server.ask(2, "tasks/get", about)["result"]["status"], "cancelled");
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        assert_eq!(code(&server.ask(3, method, json!({ "taskId": "nope" }))), -32602, "{method}");
    }
    assert_eq!(code(&server.ask(4, "tasks/list", json!({ "cursor": "%" }))), -32602);
}

#[test]
fn a_tool_says_whether_it_runs_as_a_task() {
    let mut server = ready("good");
    let mut quick = call("count_words", json!({ "text": "" }));
    quick["task"] = json!({});
    assert_eq!(code(&server.ask(1, "tools/call", quick.clone())), -32601);
    assert_eq!(code(&server.ask(2, "tools/call", call("compile_report", json!({})))), -32601);
    let mut older = Server::start(&["good"]);
    older.shake_hands("2025-06-18", json!({}));
    assert!(older.ask(1, "tools/call", quick).get("result").is_some());
    assert_eq!(code(&older.ask(2, "tasks/list", json!({}))), -32601);
}

#[test]
fn the_task_extension_is_for_clients_that_declare_it() {
    let extension = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let mut server = Server::start(&["good"]);
    let plain = server.ask(1, "tools/call", stateless(survey(0), json!({})));
    assert_eq!(plain["result"]["resultType"], "complete");
    let made = server.ask(2, "tools/call", stateless(survey(100), extension.clone()));
    assert_eq!(made["result"]["resultType"], "task");
    assert!(made["result"]["ttlMs"].is_u64() && made["result"]["pollIntervalMs"].is_u64());
    let about = stateless(json!({ "taskId": made["result"]["taskId"] }), extension.clone());
    assert_eq!(server.ask(3, "tasks/get", about.clone())["result"]["status"], "working");
    std::thread::sleep(Duration::from_millis(200));
    let done = server.ask(4, "tasks/get", about.clone());
    assert_eq!(done["result"]["result"]["structuredContent"]["herons"], 1);
    for _ in 0..2 {
        assert_eq!(
            server.ask(5, "tasks/cancel", about.clone())["result"]["resultType"],
            "complete"
        );
    }
    for method in ["tasks/result", "tasks/list"] {
        assert_eq!(code(&server.ask(6, method, about.clone())), -32601, "{method}");
    }
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let undeclared = stateless(json!({ "taskId": made["result"]["taskId"] }), json!({}));
        assert_eq!(code(&server.ask(8, method, undeclared)), -32021, "{method}");
    }
    let unknown = stateless(json!({ "taskId": "nope" }), extension);
    assert_eq!(code(&server.ask(7, "tasks/get", unknown)), -32602);
}
