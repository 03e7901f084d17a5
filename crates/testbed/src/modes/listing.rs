//! Servers whose listings go wrong.

use super::good::good;
use crate::mode::{Mode, each_response};
use serde_json::json;

pub(super) const MODES: &[Mode] = &[Mode::good("pagination-loop", || {
    let mut server = good();
    server.page_size = 3;
    server
})
.bending(|scene, acts| {
    // Whatever cursor comes, the next one is the same: the listing never ends.
    let cursor = &scene.message["params"]["cursor"];
    if scene.method() != "tools/list" || cursor.is_null() {
        return acts;
    }
    each_response(acts, |response| {
        if response.get("result").is_some() {
            response["result"]["nextCursor"] = json!(cursor);
        }
    })
})];
