//! A small authorization server beside the endpoint: metadata, registration, codes with PKCE. It
//! asks nobody for consent, since nobody is there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::sha256;
use super::ticket::{BROAD, NEEDED, Ticket};
use super::warden::Warden;
use crate::front::http::{self, lock};
use crate::mode::Lock;
use crate::{clock, token};

const HOUR: u64 = 3600;

#[derive(Debug)]
struct Issuer {
    warden: Arc<Warden>,
    /// Where each client may be sent back to.
    clients: Mutex<BTreeMap<String, Vec<String>>>,
    codes: Mutex<BTreeMap<String, Grant>>,
}

/// What was agreed to when a code was given out.
#[derive(Debug)]
struct Grant {
    client: String,
    redirect: String,
    challenge: String,
}

type Fields = BTreeMap<String, String>;
type Here = State<Arc<Issuer>>;

pub(crate) fn routes(warden: &Arc<Warden>) -> Router {
    let issuer =
        Issuer { warden: Arc::clone(warden), clients: Mutex::default(), codes: Mutex::default() };
    let mut routes = Router::new()
        .route("/.well-known/oauth-authorization-server", get(metadata))
        .route("/.well-known/openid-configuration", get(metadata))
        .route("/authorize", get(authorize))
        .route("/token", post(exchange))
        .route("/register", post(register));
    if warden.lock != Lock::TellsNothing {
        for path in ["", "/mcp"] {
            let path = format!("/.well-known/oauth-protected-resource{path}");
            routes = routes.route(&path, get(resource));
        }
    }
    routes.with_state(Arc::new(issuer))
}

async fn resource(State(issuer): Here) -> Response<Body> {
    let warden = &issuer.warden;
    let document = json!({
        "resource": warden.resource, "authorization_servers": [warden.origin],
        "scopes_supported": [BROAD, NEEDED], "bearer_methods_supported": ["header"],
    });
    http::json(StatusCode::OK, &document)
}

async fn metadata(State(issuer): Here) -> Response<Body> {
    let origin = &issuer.warden.origin;
    let at = |path: &str| format!("{origin}/{path}");
    let document = json!({
        "issuer": origin, "authorization_endpoint": at("authorize"),
        "token_endpoint": at("token"), "registration_endpoint": at("register"),
        "response_types_supported": ["code"], "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": false,
        "scopes_supported": [BROAD, NEEDED],
        "subject_types_supported": ["public"], "jwks_uri": at("keys"),
        "id_token_signing_alg_values_supported": ["none"],
    });
    http::json(StatusCode::OK, &document)
}

async fn register(State(issuer): Here, body: Bytes) -> Response<Body> {
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    let uris = asked["redirect_uris"].as_array().into_iter().flatten();
    let uris: Vec<String> = uris.filter_map(Value::as_str).map(str::to_owned).collect();
    if uris.is_empty() || !uris.iter().all(|uri| may_return_to(uri)) {
        return refuse("invalid_redirect_uri");
    }
    let client = token::fresh();
    let document = json!({ "client_id": client, "redirect_uris": uris,
        "token_endpoint_auth_method": "none", "grant_types": ["authorization_code"] });
    lock(&issuer.clients).insert(client, uris);
    http::json(StatusCode::CREATED, &document)
}

/// Encrypted, or on this machine.
fn may_return_to(uri: &str) -> bool {
    let Ok(uri) = url::Url::parse(uri) else { return false };
    let host = uri.host_str().unwrap_or_default();
    uri.scheme() == "https" || uri.scheme() == "http" && matches!(host, "127.0.0.1" | "localhost")
}

async fn authorize(State(issuer): Here, RawQuery(query): RawQuery) -> Response<Body> {
    let fields = fields(query.unwrap_or_default().as_bytes());
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let (client, redirect) = (field("client_id"), field("redirect_uri"));
    let known = lock(&issuer.clients).get(&client).is_some_and(|uris| uris.contains(&redirect));
    let Ok(mut back) = url::Url::parse(&redirect) else { return refuse("invalid_request") };
    if !known {
        // Never sent back to a place that was not registered.
        return refuse("invalid_request");
    }
    let challenge = field("code_challenge");
    let proper = field("response_type") == "code"
        && field("code_challenge_method") == "S256"
        && challenge.len() == 43;
    if proper {
        let code = token::fresh();
        back.query_pairs_mut().append_pair("code", &code);
        lock(&issuer.codes).insert(code, Grant { client, redirect, challenge });
    } else {
        back.query_pairs_mut().append_pair("error", "invalid_request");
    }
    back.query_pairs_mut()
        .append_pair("state", &field("state"))
        .append_pair("iss", &issuer.warden.origin);
    let mut response = http::plain(StatusCode::FOUND, "");
    if let Ok(place) = HeaderValue::from_str(back.as_str()) {
        response.headers_mut().insert("location", place);
    }
    response
}

async fn exchange(State(issuer): Here, body: Bytes) -> Response<Body> {
    let fields = fields(&body);
    let field = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    let warden = &issuer.warden;
    // A code serves once, also when the rest is wrong.
    let grant = lock(&issuer.codes).remove(field("code"));
    let proven = |grant: &Grant| {
        let digest = sha256::digest(field("code_verifier").as_bytes());
        grant.client == field("client_id")
            && grant.redirect == field("redirect_uri")
            && grant.challenge == URL_SAFE_NO_PAD.encode(digest)
    };
    if field("grant_type") != "authorization_code" || !grant.is_some_and(|g| proven(&g)) {
        return refuse("invalid_grant");
    }
    let resource = fields.get("resource").unwrap_or(&warden.resource).clone();
    let (scope, sub) = (NEEDED.to_owned(), "ann".to_owned());
    let ticket = Ticket { aud: resource, scope, sub, exp: clock::seconds() + HOUR };
    let document = json!({ "access_token": ticket.sealed(&warden.key), "token_type": "Bearer",
        "expires_in": HOUR, "scope": NEEDED });
    http::json(StatusCode::OK, &document)
}

fn fields(text: &[u8]) -> Fields {
    url::form_urlencoded::parse(text).into_owned().collect()
}

fn refuse(error: &str) -> Response<Body> {
    http::json(StatusCode::BAD_REQUEST, &json!({ "error": error }))
}
