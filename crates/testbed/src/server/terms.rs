//! The terms under which one request is answered, whichever era they come from.

use serde_json::{Value, json};

use crate::revision::Revision;
use crate::rpc;
use crate::tool::Aside;

/// Syslog names, least severe first.
const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

#[derive(Debug, Clone)]
pub(super) struct Terms {
    pub(super) revision: Revision,
    pub(super) client: Value,
    /// Messages below this level are not sent; `None` sends nothing.
    pub(super) log_level: Option<usize>,
    /// A request inside a batch has no stream of its own to ask on.
    pub(super) may_ask: bool,
}

impl Terms {
    /// The notifications of a tool that the client wants.
    pub(super) fn relay(&self, server: &str, params: &Value, aside: Aside) -> Vec<Value> {
        let mut said = Vec::new();
        if let Some(token) = params["_meta"].get("progressToken").filter(|t| is_token(t)) {
            for (done, total, message) in aside.progress {
                let mut params =
                    json!({ "progressToken": token, "progress": done, "total": total });
                if self.revision >= Revision::V2025_03_26 {
                    params["message"] = json!(message);
                }
                said.push(rpc::notification("notifications/progress", params));
            }
        }
        for (level, data) in aside.logs {
            if self.log_level.is_some_and(|least| rank(level).is_some_and(|r| r >= least)) {
                let params = json!({ "level": level, "logger": server, "data": data });
                said.push(rpc::notification("notifications/message", params));
            }
        }
        said
    }
}

fn is_token(token: &Value) -> bool {
    token.is_string() || token.is_i64() || token.is_u64()
}

pub(super) fn rank(level: &str) -> Option<usize> {
    LEVELS.iter().position(|l| *l == level)
}
