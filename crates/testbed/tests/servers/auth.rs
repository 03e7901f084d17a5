//! Guarded modes: who gets in, and how a token is come by.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{hello, request};
use crate::http_client::{Listening, Response};

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const BACK: &str = "http://127.0.0.1:9/back";

/// A guarded server, and the tokens it announces.
fn start(mode: &str) -> (Listening, BTreeMap<String, String>) {
    let mut server = Listening::start(&[mode, "--http", "0"]);
    let mut tokens = BTreeMap::new();
    for _ in 0..6 {
        let line = server.next_line();
        let mut words = line.split(' ').skip(1).map(str::to_owned);
        tokens.extend(words.next().zip(words.next()));
    }
    (server, tokens)
}

fn open(server: &Listening, headers: &[(&str, &str)]) -> Response {
    server.post(headers, &request(&json!(1), "initialize", hello("2025-11-25", json!({}))))
}

fn with(server: &Listening, token: &str) -> Response {
    open(server, &[("Authorization", &format!("Bearer {token}"))])
}

fn document(server: &Listening, path: &str) -> Value {
    let response = server.send("GET", path, &[], "");
    assert_eq!(response.status, 200, "{path}");
    response.message()
}

#[test]
fn each_token_gets_the_answer_it_deserves() {
    let (server, tokens) = start("guarded");
    let refused = open(&server, &[]);
    assert_eq!(refused.status, 401);
    let challenge = refused.header("www-authenticate").expect("a challenge");
    assert!(challenge.contains("resource_metadata=") && challenge.contains("scope=\"notes:read\""));
    assert_eq!(with(&server, "made-up").status, 401);
    let expected = [
        ("full", 200),
        ("broad-scope", 200),
        ("other-user", 200),
        ("low-scope", 403),
        ("foreign-audience", 401),
        ("expired", 401),
    ];
    for (kind, status) in expected {
        assert_eq!(with(&server, &tokens[kind]).status, status, "{kind}");
    }
}

#[test]
fn a_session_belongs_to_the_user_who_opened_it() {
    let (server, tokens) = start("guarded");
    let session = with(&server, &tokens["full"]).header("mcp-session-id").map(str::to_owned);
    let session = session.expect("a session");
    let list = |authorization: &str| {
        let headers = [("Mcp-Session-Id", session.as_str()), ("Authorization", authorization)];
        server.post(&headers, &request(&json!(2), "tools/list", json!({}))).status
    };
    assert_eq!(list(&format!("Bearer {}", tokens["full"])), 200);
    assert_eq!(list(&format!("Bearer {}", tokens["other-user"])), 404);
    assert_eq!(list("Basic YTpi"), 401);
}

#[test]
fn metadata_leads_from_the_endpoint_to_its_authorization_server() {
    let (server, _) = start("guarded");
    let resource = document(&server, "/.well-known/oauth-protected-resource/mcp");
    let issuer = format!("http://{}", server.address);
    assert_eq!(resource["resource"], format!("{issuer}/mcp"));
    assert_eq!(resource["authorization_servers"], json!([issuer]));
    for path in ["oauth-authorization-server", "openid-configuration"] {
        let metadata = document(&server, &format!("/.well-known/{path}"));
        assert_eq!(metadata["issuer"], json!(issuer));
        assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));
    }
}

fn register(server: &Listening, back: &str) -> Response {
    let body = json!({ "redirect_uris": [back] }).to_string();
    server.send("POST", "/register", &[("Content-Type", "application/json")], &body)
}

fn authorize(server: &Listening, client: &str, back: &str, more: &str) -> Response {
    let path =
        format!("/authorize?response_type=code&client_id={client}&redirect_uri={back}{more}");
    server.send("GET", &path, &[], "")
}

fn redeem(server: &Listening, client: &str, code: &str, verifier: &str) -> Response {
    let body = format!(
        "grant_type=authorization_code&code={code}&client_id={client}&redirect_uri={BACK}&code_verifier={verifier}"
    );
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    server.send("POST", "/token", &form, &body)
}

#[test]
fn a_code_takes_a_challenge_and_becomes_a_token_that_opens() {
    let (server, _) = start("guarded");
    assert_eq!(register(&server, "http://elsewhere.example/back").status, 400);
    let client = register(&server, BACK).message()["client_id"].clone();
    let client = client.as_str().expect("a client id");
    let pkce = format!("&code_challenge={CHALLENGE}&code_challenge_method=S256");
    let place = |r: &Response| r.header("location").unwrap_or_default().to_owned();
    assert_eq!(authorize(&server, client, "http://127.0.0.1:9/other", &pkce).status, 400);
    assert!(place(&authorize(&server, client, BACK, "")).contains("error=invalid_request"));
    let code = |r: &Response| {
        let place = place(r);
        assert!(place.contains("&iss="), "{place}");
        let code = place.split_once("code=").expect("a code").1;
        code.split('&').next().expect("a value").to_owned()
    };
    let first = code(&authorize(&server, client, BACK, &pkce));
    assert_eq!(redeem(&server, client, &first, "wrong").status, 400);
    assert_eq!(redeem(&server, client, &first, VERIFIER).status, 400, "a code serves once");
    let second = code(&authorize(&server, client, BACK, &pkce));
    let token = redeem(&server, client, &second, VERIFIER).message()["access_token"].clone();
    assert_eq!(with(&server, token.as_str().expect("a token")).status, 200);
}

#[test]
fn the_broken_ones_are_broken_in_one_way_each() {
    let (lax, _) = start("guarded-takes-any-token");
    assert_eq!((open(&lax, &[]).status, with(&lax, "made-up").status), (401, 200));
    let (mute, tokens) = start("guarded-tells-nothing");
    let refused = open(&mute, &[]);
    assert_eq!((refused.status, refused.header("www-authenticate")), (401, None));
    let path = "/.well-known/oauth-protected-resource/mcp";
    assert_eq!(mute.send("GET", path, &[], "").status, 404);
    assert_eq!(with(&mute, &tokens["full"]).status, 200);
    for (mode, status) in [("guarded", 401), ("guarded-takes-query-token", 200)] {
        let (server, tokens) = start(mode);
        let body = request(&json!(1), "initialize", hello("2025-11-25", json!({}))).to_string();
        let headers = [("Content-Type", "application/json"), ("Accept", "application/json")];
        let path = format!("/mcp?access_token={}", tokens["full"]);
        assert_eq!(server.send("POST", &path, &headers, &body).status, status, "{mode}");
    }
}
