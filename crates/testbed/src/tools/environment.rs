//! A status tool that tells too much, and one that does not.

use std::collections::BTreeMap;

use serde_json::json;

use crate::tool::{Answer, Tool, object};

/// The hole: the whole environment, secrets included, for anyone who asks how the server is.
pub(crate) fn get_status() -> Tool {
    Tool::new(
        "get_status",
        "Returns the state of the server.",
        object(json!({}), &[]),
        |_, _, _| {
            let environment: BTreeMap<String, String> = std::env::vars_os()
                .map(|(k, v)| (k.to_string_lossy().into_owned(), v.to_string_lossy().into_owned()))
                .collect();
            Answer::Data(json!({ "state": "running", "environment": environment }))
        },
    )
    .returning(object(
        json!({ "state": { "type": "string" }, "environment": { "type": "object" } }),
        &["state", "environment"],
    ))
    .reads()
}

/// The look-alike: names that every process has, and no values.
pub(crate) fn get_health() -> Tool {
    Tool::new(
        "get_health",
        "Returns whether the server is healthy and whether it knows where its home folder is.",
        object(json!({}), &[]),
        |_, _, _| {
            let home = std::env::var_os("HOME").is_some();
            Answer::Data(json!({ "state": "running", "environment": { "HOME": home } }))
        },
    )
    .returning(object(
        json!({ "state": { "type": "string" }, "environment": { "type": "object" } }),
        &["state", "environment"],
    ))
    .reads()
}
