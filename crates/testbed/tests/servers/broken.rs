//! Each broken mode shows its defect, and only that.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{PATIENCE, Server, call, code, hello, ready, request, stateless, text};
use crate::http_client::Listening;

fn count_words() -> Value {
    call("count_words", json!({ "text": "one two" }))
}

fn send_call(server: &mut Server, id: i64) {
    server.send(&request(&json!(id), "tools/call", count_words()));
}

/// The parts of a server that these modes leave alone.
fn lists_its_tools(server: &mut Server) {
    let answer = server.ask("list", "tools/list", json!({}));
    assert!(answer["result"]["tools"].as_array().is_some_and(|tools| tools.len() >= 2), "{answer}");
}

#[test]
fn demo_has_its_three_blemishes() {
    let mut server = ready("demo");
    let answer = server.ask(1, "tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().expect("tools");
    let camel: Vec<&Value> = tools
        .iter()
        .map(|tool| &tool["name"])
        .filter(|name| name.as_str().is_some_and(|n| n.contains(char::is_uppercase)))
        .collect();
    assert_eq!(camel, ["convertLength"]);
    let undescribed: Vec<&Value> = tools
        .iter()
        .filter(|tool| {
            let parameters = tool["inputSchema"]["properties"].as_object().expect("an object");
            parameters.values().any(|p| p.get("description").is_none())
        })
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(undescribed, ["count_words"]);
    let vague = server.ask(2, "tools/call", call("create_note", json!({ "title": 1 })));
    assert_eq!(vague["result"]["isError"], true);
    assert!(!text(&vague).contains("title") && !text(&vague).contains("body"), "{vague}");
    let clear = server.ask(3, "tools/call", call("read_note", json!({})));
    assert!(text(&clear).contains("id"), "{clear}");
}

#[test]
fn slow_start_reads_nothing_until_its_time_has_come() {
    let since = Instant::now();
    let mut server = Server::start(&["slow-start", "--delay", "700"]);
    server.shake_hands("2025-11-25", json!({}));
    assert!(since.elapsed() >= Duration::from_millis(700));
    lists_its_tools(&mut server);
}

#[test]
fn servers_that_do_not_come_up_leave_in_their_own_way() {
    for (mode, status, says) in
        [("exits-at-once", 3, ""), ("missing-key", 1, "WEATHER_API_KEY environment variable")]
    {
        let mut server = Server::start(&[mode]);
        let exit = server.exit_within(PATIENCE).expect("it ends");
        assert_eq!(exit.code(), Some(status), "{mode}");
        assert!(server.stderr().contains(says), "{mode}");
        assert!(server.stdout_ends(), "{mode} says nothing on stdout");
    }
}

#[test]
fn init_error_refuses_both_openings() {
    let mut server = Server::start(&["init-error"]);
    for (method, params) in [
        ("initialize", hello("2025-11-25", json!({}))),
        ("server/discover", stateless(json!({}), json!({}))),
    ] {
        let answer = server.ask(1, method, params);
        assert!(answer["error"]["message"].to_string().contains("API key"), "{answer}");
        assert!(answer.get("result").is_none());
    }
}

#[test]
fn silent_says_nothing_to_anything() {
    let mut server = Server::start(&["silent"]);
    server.send(&request(&json!(1), "initialize", hello("2025-11-25", json!({}))));
    server.send_raw("not json");
    assert!(server.says_nothing());
}

#[test]
fn stdout_noise_mixes_lines_of_text_with_messages() {
    let mut server = Server::start(&["stdout-noise"]);
    assert!(server.next_line().contains("starting up"));
    server.shake_hands("2025-11-25", json!({}));
    send_call(&mut server, 1);
    assert_eq!(server.next_line(), "[debug] calling tool count_words");
    assert_eq!(server.next()["id"], 1);
}

#[test]
fn floods_stderr_writes_more_than_any_pipe_holds() {
    let mut server = ready("floods-stderr");
    lists_its_tools(&mut server);
    server.close_stdin();
    assert!(server.exit_within(PATIENCE).is_some());
    assert!(server.stderr().len() > 8 << 20);
}

#[test]
fn closes_stdout_at_the_third_call_and_runs_on() {
    let mut server = ready("closes-stdout");
    for id in [1, 2] {
        assert!(server.ask(id, "tools/call", count_words()).get("result").is_some());
    }
    send_call(&mut server, 3);
    assert!(server.stdout_ends());
    assert!(server.exit_within(Duration::from_millis(300)).is_none(), "it still runs");
    server.close_stdin();
    assert!(server.exit_within(PATIENCE).is_some());
}

#[test]
fn id_mismatch_answers_calls_under_a_string_and_under_another_number() {
    let mut server = ready("id-mismatch");
    lists_its_tools(&mut server);
    send_call(&mut server, 7);
    assert_eq!(server.next()["id"], "7");
    send_call(&mut server, 8);
    assert_eq!(server.next()["id"], 1_000_002);
}

#[test]
fn never_answers_and_hanging_tool_leave_calls_open() {
    let mut server = ready("never-answers");
    send_call(&mut server, 1);
    assert!(server.says_nothing());
    lists_its_tools(&mut server);

    let mut server = ready("hanging-tool");
    let search = call("search_notes", json!({ "query": "heron" }));
    server.send(&request(&json!(1), "tools/call", search));
    assert!(server.says_nothing());
    assert!(server.ask(2, "tools/call", count_words()).get("result").is_some());
}

#[test]
fn late_answers_come_after_others_that_were_asked_later() {
    let mut server = Server::start(&["late-answers", "--delay", "500"]);
    server.shake_hands("2025-11-25", json!({}));
    let since = Instant::now();
    send_call(&mut server, 1);
    assert_eq!(server.ask(2, "ping", json!({}))["result"], json!({}));
    assert_eq!(server.next()["id"], 1);
    assert!(since.elapsed() >= Duration::from_millis(500));
}

#[test]
fn duplicate_answers_come_twice_and_alike() {
    let mut server = Server::start(&["duplicate-answers"]);
    let first = server.ask(1, "server/discover", stateless(json!({}), json!({})));
    assert_eq!(server.next(), first);
    assert!(server.says_nothing());
}

#[test]
fn ill_formed_breaks_the_shape_in_four_ways() {
    let mut server = ready("ill-formed");
    lists_its_tools(&mut server);
    let mut answers = (1..=4).map(|id| server.ask(id, "tools/call", count_words()));
    let mut next = || answers.next().expect("four answers");
    let both = next();
    assert!(both.get("result").is_some() && both.get("error").is_some());
    assert_eq!(next()["error"]["code"], "-32603");
    let bare = next();
    assert!(bare.get("jsonrpc").is_none() && bare.get("result").is_some());
    let neither = next();
    assert!(neither.get("result").is_none() && neither.get("error").is_none());
}

#[test]
fn huge_answer_sends_more_than_the_frame_limit_from_one_tool() {
    let mut server = ready("huge-answer");
    server.send(&request(&json!(1), "tools/call", call("get_archive", json!({}))));
    assert!(server.next_line().len() > 40_000_000);
    assert!(server.ask(2, "tools/call", count_words()).get("result").is_some());
}

#[test]
fn pagination_loop_repeats_its_cursor() {
    let mut server = ready("pagination-loop");
    let first = server.ask(1, "tools/list", json!({}));
    let cursor = &first["result"]["nextCursor"];
    for id in 2..5 {
        let next = server.ask(id, "tools/list", json!({ "cursor": cursor }));
        assert_eq!(&next["result"]["nextCursor"], cursor);
    }
}

#[test]
fn wrong_error_codes_are_codes_of_other_errors() {
    let mut server = ready("wrong-error-codes");
    lists_its_tools(&mut server);
    assert_eq!(code(&server.ask(1, "foo/bar", json!({}))), -32602);
    assert_eq!(code(&server.ask(2, "tools/call", call("nope", json!({})))), -32601);
    server.send_raw("not json");
    assert_eq!(code(&server.next()), -32600);
}

#[test]
fn stack_trace_shows_source_files_in_errors_only() {
    let mut server = ready("stack-trace");
    let refused = server.ask(1, "tools/call", call("count_words", json!({ "text": 5 })));
    assert!(text(&refused).contains("File \"/srv/notebook"), "{refused}");
    let unknown = server.ask(2, "tools/call", call("nope", json!({})));
    assert!(unknown["error"]["message"].to_string().contains("Traceback"), "{unknown}");
    assert!(!text(&server.ask(3, "tools/call", count_words())).contains("Traceback"));
}

#[test]
fn crashes_on_bad_input_and_only_on_that() {
    let mut server = ready("crashes-on-bad-input");
    assert!(server.ask(1, "tools/call", count_words()).get("result").is_some());
    assert_eq!(code(&server.ask(2, "tools/call", call("nope", json!({})))), -32602);
    let bad = call("count_words", json!({ "text": 5 }));
    server.send(&request(&json!(3), "tools/call", bad));
    assert_eq!(server.exit_within(PATIENCE).and_then(|s| s.code()), Some(1));
}

#[test]
fn dies_after_40_requests_in_every_process_anew() {
    for _ in 0..2 {
        let mut server = ready("dies-after-40");
        for id in 2..=40 {
            server.ask(id, "ping", json!({}));
        }
        server.send(&request(&json!(41), "ping", json!({})));
        assert_eq!(server.exit_within(PATIENCE).and_then(|s| s.code()), Some(1));
    }
}

#[test]
fn ignores_sigterm_and_a_closed_stdin() {
    let mut server = ready("ignores-sigterm");
    server.close_stdin();
    let term = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status();
    assert!(term.expect("kill runs").success());
    assert!(server.exit_within(Duration::from_millis(700)).is_none(), "it still runs");
}

#[test]
fn a_call_that_is_never_answered_is_held_open_over_http_too() {
    let server = Listening::start(&["never-answers", "--http", "0"]);
    let body = request(&json!(1), "tools/call", stateless(count_words(), json!({})));
    let held = server.post_stateless(&[], &body);
    assert_eq!((held.status, held.header("content-type")), (200, Some("text/event-stream")));
    let body = request(&json!(2), "tools/list", stateless(json!({}), json!({})));
    assert!(server.post_stateless(&[], &body).message().get("result").is_some());
}
