//! Each weakness can be used, and its look-alike cannot.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Server, call, ready, request, stateless, text};
use crate::http_client::Listening;

#[test]
fn shell_injection_computes_what_it_is_told_and_the_look_alike_repeats_it() {
    let mut server = ready("shell-injection");
    for payload in ["x; echo $((1234*5678))", "$(echo $((1234*5678)))", "`echo $((1234*5678))`"] {
        let hole = server.ask(1, "tools/call", call("lookup_host", json!({ "host": payload })));
        assert!(text(&hole).contains("7006652"), "{payload}: {hole}");
        let safe = server.ask(2, "tools/call", call("resolve_host", json!({ "host": payload })));
        assert!(!text(&safe).contains("7006652"), "{payload}: {safe}");
    }
    let benign = |tool| call(tool, json!({ "host": "localhost" }));
    let hole = server.ask(3, "tools/call", benign("lookup_host"));
    assert_eq!(text(&hole), text(&server.ask(4, "tools/call", benign("resolve_host"))));
}

#[test]
fn path_traversal_leaves_the_workspace_and_the_look_alike_stays() {
    let outside = scratch("path-traversal");
    let workspace = outside.join("workspace");
    fs::create_dir_all(&workspace).expect("a workspace");
    fs::write(outside.join("canary.txt"), "outside canary").expect("a canary");
    fs::write(workspace.join("page.txt"), "inside page").expect("a page");
    let link = workspace.join("link.txt");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(outside.join("canary.txt"), &link).expect("a link");

    let mut command = Command::new(env!("CARGO_BIN_EXE_testbed"));
    let mut server = Server::spawn(command.arg("path-traversal").current_dir(&workspace));
    server.shake_hands("2025-11-25", json!({}));
    let listed = server.ask(1, "tools/call", call("list_files", json!({})));
    assert!(text(&listed).contains("page.txt"), "{listed}");
    let mut read = |tool: &str, path: &str| -> String {
        text(&server.ask(2, "tools/call", call(tool, json!({ "path": path })))).to_owned()
    };
    let absolute = outside.join("canary.txt").display().to_string();
    for path in ["../canary.txt", "link.txt", "x/../../canary.txt", &absolute] {
        assert!(!read("read_page", path).contains("outside canary"), "{path}");
    }
    for path in ["../canary.txt", &absolute] {
        assert!(read("read_document", path).contains("outside canary"), "{path}");
    }
    for tool in ["read_document", "read_page"] {
        assert!(read(tool, "page.txt").contains("inside page"), "{tool}");
    }
    fs::remove_dir_all(&outside).expect("the scratch folder goes");
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

#[test]
fn env_leak_shows_a_planted_value_and_the_look_alike_does_not() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_testbed"));
    let mut server = Server::spawn(command.arg("env-leak").env("PLANTED_KEY", "canary-3f9a"));
    server.shake_hands("2025-11-25", json!({}));
    let leak = server.ask(1, "tools/call", call("get_status", json!({})));
    assert!(text(&leak).contains("canary-3f9a"));
    let safe = server.ask(2, "tools/call", call("get_health", json!({})));
    assert!(!text(&safe).contains("canary-3f9a"));
}

#[test]
fn hidden_unicode_is_in_one_description_only() {
    let answer = ready("hidden-unicode").ask(1, "tools/list", json!({}));
    let hiding: Vec<&Value> = answer["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter(|tool| {
            let description = tool["description"].as_str().unwrap_or_default();
            description
                .contains(|c: char| ('\u{E0000}'..='\u{E007F}').contains(&c) || c == '\u{200b}')
        })
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(hiding, ["get_forecast"]);
}

#[test]
fn open_http_answers_any_origin() {
    let server = Listening::start(&["open-http", "--http", "0"]);
    let body = request(&json!(1), "tools/list", stateless(json!({}), json!({})));
    for evil in [("Origin", "http://evil.example"), ("Host", "evil.example")] {
        assert_eq!(server.post_stateless(&[evil], &body).status, 200, "{evil:?}");
    }
}
