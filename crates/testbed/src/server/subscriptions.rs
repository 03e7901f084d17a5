//! `subscriptions/listen`: acknowledged, kept open, and quiet, since nothing here changes.

use serde_json::{Value, json};

use super::Turn;
use crate::rpc::{self, Refusal};

pub(super) fn listen(id: Value, params: &Value) -> Turn {
    if !params["notifications"].is_object() {
        let why = Refusal::invalid_params("`notifications` must be an object");
        return Turn::refusing(Some(id), why);
    }
    let params = json!({
        "_meta": { "io.modelcontextprotocol/subscriptionId": id },
        "notifications": {},
    });
    let said = rpc::notification("notifications/subscriptions/acknowledged", params);
    Turn { of: Some(id), says: vec![said], open: true, bad_arguments: false }
}
