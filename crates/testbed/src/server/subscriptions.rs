//! Who hears of a change: sessions after a handshake, and `subscriptions/listen` without one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Server, Session, Turn, resources};
use crate::change::Change;
use crate::rpc::{self, Refusal};

const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";

/// A message outside any answer, and the subscription it belongs to if that has a stream.
pub(crate) type Told = (Option<Value>, Value);

pub(super) fn subscribe(
    server: &Server,
    session: &mut Session,
    params: &Value,
    wanted: bool,
) -> Result<Value, Refusal> {
    let Some(uri) = params["uri"].as_str() else {
        return Err(Refusal::invalid_params("`uri` must be a string"));
    };
    if !wanted {
        session.subscribed.remove(uri);
    } else if resources::find(server, uri).is_some() {
        session.subscribed.insert(uri.to_owned());
    } else {
        return Err(resources::not_found(uri, false));
    }
    Ok(json!({}))
}

/// Lists never change in the stateless revision, so only resources can be listened to.
pub(super) fn listen(server: &Server, session: &mut Session, id: Value, params: &Value) -> Turn {
    let filter = &params["notifications"];
    if !is_filter(filter) {
        let why = "`notifications` must be an object of flags and a list of resource URIs";
        return Turn::refusing(Some(id), Refusal::invalid_params(why));
    }
    let asked = filter["resourceSubscriptions"].as_array();
    let known = |uri: &&str| server.changes && resources::find(server, uri).is_some();
    let uris: BTreeSet<String> = asked
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(known)
        .map(str::to_owned)
        .collect();
    let honoured = if asked.is_some() && server.changes {
        json!({ "resourceSubscriptions": uris })
    } else {
        json!({})
    };
    let params = json!({ "_meta": { SUBSCRIPTION_KEY: id }, "notifications": honoured });
    let said = rpc::notification("notifications/subscriptions/acknowledged", params);
    session.listening.insert(id.to_string(), (id.clone(), uris));
    Turn { of: Some(id), says: vec![said], open: true, ..Turn::default() }
}

fn is_filter(filter: &Value) -> bool {
    let flags = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"];
    let uris = filter.get("resourceSubscriptions");
    filter.is_object()
        && flags.iter().all(|flag| filter.get(flag).is_none_or(Value::is_boolean))
        && uris.is_none_or(|u| u.as_array().is_some_and(|u| u.iter().all(Value::is_string)))
}

/// What this client hears of a change.
pub(super) fn tell(server: &Server, session: &Session, change: &Change) -> Vec<Told> {
    if !server.changes {
        return Vec::new();
    }
    let mut told: Vec<Told> = Vec::new();
    if session.revision.is_some() {
        let said = match change {
            Change::Tools => Some(rpc::announcement("notifications/tools/list_changed")),
            Change::Prompts => Some(rpc::announcement("notifications/prompts/list_changed")),
            Change::Resources => Some(rpc::announcement("notifications/resources/list_changed")),
            Change::Resource(uri) => {
                session.subscribed.contains(uri).then(|| updated(json!({ "uri": uri })))
            }
        };
        told.extend(said.map(|said| (None, said)));
    }
    if let Change::Resource(uri) = change {
        let hearing = session.listening.values().filter(|(_, uris)| uris.contains(uri));
        told.extend(hearing.map(|(id, _)| {
            let params = json!({ "_meta": { SUBSCRIPTION_KEY: id }, "uri": uri });
            (Some(id.clone()), updated(params))
        }));
    }
    told
}

fn updated(params: Value) -> Value {
    rpc::notification("notifications/resources/updated", params)
}

/// The server goes: every subscription gets the answer it has been open for.
pub(super) fn farewell(server: &Server, session: &mut Session) -> Vec<Value> {
    let ending = std::mem::take(&mut session.listening);
    let info = server.info(crate::revision::Revision::V2026_07_28);
    let result = |id: &Value| {
        let meta = json!({ SUBSCRIPTION_KEY: id, "io.modelcontextprotocol/serverInfo": info });
        rpc::result(id, json!({ "resultType": "complete", "_meta": meta }))
    };
    ending.values().map(|(id, _)| result(id)).collect()
}
