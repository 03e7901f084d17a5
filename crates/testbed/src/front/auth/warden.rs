//! The warden before the endpoint: nobody passes without a token that was issued for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::json;

use super::ticket::{BROAD, NEEDED, Ticket};
use crate::clock;
use crate::front::guard::header;
use crate::front::http::{self, lock};
use crate::mode::Lock;

const SESSION: &str = "mcp-session-id";
const HOUR: u64 = 3600;

#[derive(Debug)]
pub(crate) struct Warden {
    pub(super) lock: Lock,
    /// Scheme, host and port; also the name of the authorization server.
    pub(super) origin: String,
    /// The endpoint.
    pub(super) resource: String,
    pub(super) key: [u8; 32],
    /// Whose session is whose.
    owners: Mutex<BTreeMap<String, String>>,
}

impl Warden {
    pub(crate) fn new(lock: Lock, origin: String, resource: String) -> Warden {
        let key = *blake3::hash(crate::token::fresh().as_bytes()).as_bytes();
        Warden { lock, origin, resource, key, owners: Mutex::default() }
    }

    /// A token of each kind, for whoever tests.
    pub(crate) fn samples(&self) -> Vec<(&'static str, String)> {
        let elsewhere = format!("{}/other", self.origin);
        let later = clock::seconds() + HOUR;
        let sealed = |aud: &str, scope: &str, sub: &str, exp: u64| {
            let (aud, scope, sub) = (aud.to_owned(), scope.to_owned(), sub.to_owned());
            Ticket { aud, scope, sub, exp }.sealed(&self.key)
        };
        let here = self.resource.as_str();
        vec![
            ("full", sealed(here, NEEDED, "ann", later)),
            ("low-scope", sealed(here, "profile", "ann", later)),
            ("broad-scope", sealed(here, BROAD, "ann", later)),
            ("foreign-audience", sealed(&elsewhere, NEEDED, "ann", later)),
            ("expired", sealed(here, NEEDED, "ann", 1)),
            ("other-user", sealed(here, NEEDED, "bob", later)),
        ]
    }

    pub(super) fn metadata_url(&self) -> String {
        format!("{}/.well-known/oauth-protected-resource/mcp", self.origin)
    }

    /// Whose request this is, or why it is refused.
    fn identify(&self, request: &Request) -> Result<String, Box<Response>> {
        let query = request.uri().query().unwrap_or_default();
        let in_query = url::form_urlencoded::parse(query.as_bytes())
            .find(|(name, _)| name == "access_token" && self.lock == Lock::TakesQuery)
            .map(|(_, token)| token.into_owned());
        let bearer = header(request.headers(), "authorization")
            .and_then(|value| value.strip_prefix("Bearer "))
            .map(str::to_owned);
        if let (None, Lock::SessionSuffices, Some(id)) =
            (&bearer, self.lock, header(request.headers(), SESSION))
            && let Some(owner) = lock(&self.owners).get(id)
        {
            return Ok(owner.clone());
        }
        let Some(token) = bearer.or(in_query) else {
            return Err(self.refuse(StatusCode::UNAUTHORIZED, None));
        };
        if self.lock == Lock::TakesAnything {
            return Ok("somebody".to_owned());
        }
        let valid = |t: &Ticket| t.aud == self.resource && t.exp > clock::seconds();
        match Ticket::open(&token, &self.key).filter(valid) {
            None => Err(self.refuse(StatusCode::UNAUTHORIZED, Some("invalid_token"))),
            Some(ticket) if !ticket.suffices() => {
                Err(self.refuse(StatusCode::FORBIDDEN, Some("insufficient_scope")))
            }
            Some(ticket) => Ok(ticket.sub),
        }
    }

    fn refuse(&self, status: StatusCode, error: Option<&str>) -> Box<Response> {
        let body = json!({ "error": error.unwrap_or("unauthorized") });
        let mut response = http::json(status, &body);
        let mut challenge =
            format!("Bearer resource_metadata=\"{}\", scope=\"{NEEDED}\"", self.metadata_url());
        if let Some(error) = error {
            challenge.push_str(&format!(", error=\"{error}\""));
        }
        if let (false, Ok(value)) =
            (self.lock == Lock::TellsNothing, HeaderValue::from_str(&challenge))
        {
            response.headers_mut().insert("www-authenticate", value);
        }
        Box::new(response)
    }

    fn owns(&self, request: &Request, user: &str) -> bool {
        let id = header(request.headers(), SESSION);
        let owners = lock(&self.owners);
        id.and_then(|id| owners.get(id)).is_none_or(|owner| owner == user)
    }
}

/// Stands before the routes of the endpoint.
pub(crate) async fn watch(
    State(warden): State<Arc<Warden>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let user = match warden.identify(&request) {
        Ok(user) => user,
        Err(refused) => return *refused,
    };
    if !warden.owns(&request, &user) {
        return http::plain(StatusCode::NOT_FOUND, "no such session; send initialize again");
    }
    let response = next.run(request).await;
    if let Some(id) = header(response.headers(), SESSION) {
        lock(&warden.owners).insert(id.to_owned(), user);
    }
    response
}
