//! The shapes that configuration files come in.

use super::*;
use serde_json::json;

fn read(text: &str, name: Option<&str>) -> Result<Target> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mcp.json");
    fs::write(&path, text).unwrap();
    server(&path, name)
}

fn error(text: &str, name: Option<&str>) -> String {
    format!("{:#}", read(text, name).unwrap_err())
}

fn stdio(command: &str, args: &[&str]) -> Target {
    Target::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|&a| a.to_owned()).collect(),
        env: BTreeMap::new(),
        cwd: None,
    }
}

#[test]
fn every_known_shape_of_file_gives_its_server() {
    let entry = r#"{"command": "node", "args": ["s.js"]}"#;
    let shapes = [
        format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#),
        format!(r#"{{"servers": {{"a": {entry}}}, "inputs": []}}"#),
        format!(r#"{{"mcp": {{"servers": {{"a": {entry}}}}}, "editor.fontSize": 12}}"#),
        format!(r#"{{"mcp.servers": {{"a": {entry}}}}}"#),
        format!(r#"{{"a": {entry}}}"#),
        entry.to_owned(),
        format!("{{ // mine\n \"mcpServers\": {{\"a\": {entry},}},\n}}"),
    ];
    for shape in shapes {
        assert_eq!(read(&shape, None).unwrap(), stdio("node", &["s.js"]), "{shape}");
    }
}

#[test]
fn a_url_is_http_unless_type_or_path_say_sse() {
    let of = |entry: Value| read(&json!({"mcpServers": {"a": entry}}).to_string(), None);
    let url = "http://127.0.0.1:1/mcp";
    let http = Target::Http { url: url.to_owned(), headers: BTreeMap::new() };
    let sse = |url: &str| Target::Sse { url: url.to_owned(), headers: BTreeMap::new() };
    assert_eq!(of(json!({"url": url})).unwrap(), http);
    assert_eq!(of(json!({"type": "http", "url": url})).unwrap(), http);
    assert_eq!(of(json!({"type": "streamable-http", "url": url})).unwrap(), http);
    assert_eq!(of(json!({"type": "streamableHttp", "url": url})).unwrap(), http);
    assert_eq!(of(json!({"type": "sse", "url": url})).unwrap(), sse(url));
    assert_eq!(
        of(json!({"url": "http://127.0.0.1:1/sse"})).unwrap(),
        sse("http://127.0.0.1:1/sse")
    );
}

#[test]
fn which_server_is_meant_must_be_clear() {
    let file = r#"{"mcpServers": {"files": {"command": "a"}, "memory": {"command": "b"}}}"#;
    assert_eq!(read(file, Some("memory")).unwrap(), stdio("b", &[]));
    let which = error(file, None);
    assert!(which.contains("choose one with --server: files, memory"), "{which}");
    let wrong = error(file, Some("memry"));
    assert!(wrong.contains("no server `memry` (did you mean `memory`?)"), "{wrong}");
    assert!(wrong.contains("there are: files, memory"), "{wrong}");
}

#[test]
fn what_is_wrong_with_an_entry_is_told_with_its_place() {
    let both = error(r#"{"mcpServers": {"a": {"command": "x", "url": "y"}}}"#, None);
    assert!(both.contains("mcp.json: server `a`: has both `command` and `url`"), "{both}");
    let neither = error(r#"{"mcpServers": {"a": {"args": []}}}"#, None);
    assert!(neither.contains("has neither `command` nor `url`"), "{neither}");
    let kind = error(r#"{"mcpServers": {"a": {"url": "http://x", "type": "grpc"}}}"#, None);
    assert!(kind.contains("type `grpc` is unknown; expected stdio, http"), "{kind}");
    let args = error(r#"{"mcpServers": {"a": {"command": "x", "args": "y"}}}"#, None);
    assert!(args.contains("server `a`: invalid type: string \"y\""), "{args}");
    let empty = error(r#"{"mcpServers": {}}"#, None);
    assert!(empty.contains("the list of servers is empty"), "{empty}");
    let foreign = error(r#"{"name": "package", "version": "1"}"#, None);
    assert!(foreign.contains("no servers found; expected `mcpServers`"), "{foreign}");
    let broken = error("{\n  \"mcpServers\": oops }", None);
    assert!(broken.contains("not JSON: expected value at line 2"), "{broken}");
}

#[test]
fn variables_come_from_the_environment_and_from_the_place_of_the_file() {
    let environment = |name: &str| (name == "TOKEN").then(|| "t0k".to_owned());
    let variables = Variables::fixed("/home/u/project", environment);
    let of = |text: &str| variables.expand(text);
    assert_eq!(of("a ${env:TOKEN} b ${TOKEN}").unwrap(), "a t0k b t0k");
    assert_eq!(of("${OTHER:-fallback}").unwrap(), "fallback");
    assert_eq!(of("${workspaceFolder}/x").unwrap(), "/home/u/project/x");
    assert_eq!(of("${workspaceFolderBasename}").unwrap(), "project");
    assert_eq!(of("cost $5 {x}").unwrap(), "cost $5 {x}");
    let unset = of("${env:OTHER}").unwrap_err().to_string();
    assert!(unset.contains("`OTHER` is not set; set it"), "{unset}");
    assert!(of("${input:key}").unwrap_err().to_string().contains("input `key`"));
    assert!(of("${TOKEN").unwrap_err().to_string().contains("never closed"));
}

#[test]
fn env_takes_texts_numbers_and_booleans_and_an_env_file() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".env"), "# keys\nA=1\nexport B=\"two words\"\nC='x'\n").unwrap();
    let path = dir.path().join("mcp.json");
    let entry = json!({"command": "x", "envFile": ".env", "env": {"A": 2, "D": true}});
    fs::write(&path, json!({ "mcpServers": { "a": entry } }).to_string()).unwrap();
    let Target::Stdio { env, .. } = server(&path, None).unwrap() else { panic!("not stdio") };
    let pairs: Vec<String> = env.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(pairs, ["A=2", "B=two words", "C=x", "D=true"]);
}
