//! Servers whose errors mislead or tell too much.

use serde_json::{Value, json};

use super::good::good;
use crate::mode::{Act, Mode, Scene, each_response};
use crate::rpc;

pub(super) const MODES: &[Mode] = &[
    Mode::good("wrong-error-codes", good).bending(|_, acts| {
        each_response(acts, |response| {
            if let Some(code) = response.pointer_mut("/error/code") {
                *code = json!(swapped(code.as_i64().unwrap_or_default()));
            }
        })
    }),
    Mode::good("stack-trace", good).bending(traceback),
];

/// A wrong code for each right one; all of them exist, none fits.
fn swapped(code: i64) -> i64 {
    match code {
        rpc::METHOD_NOT_FOUND => rpc::INVALID_PARAMS,
        rpc::INVALID_PARAMS => rpc::METHOD_NOT_FOUND,
        rpc::PARSE_ERROR => rpc::INVALID_REQUEST,
        rpc::INVALID_REQUEST => rpc::PARSE_ERROR,
        _ => -32000,
    }
}

/// Every refusal of a tool shows where in the source it was raised.
fn traceback(scene: &Scene<'_>, acts: Vec<Act>) -> Vec<Act> {
    if !scene.is_call() {
        return acts;
    }
    let trace = |why: &Value| {
        json!(format!(
            "Traceback (most recent call last):\n  File \"/srv/notebook/app/server.py\", line 118, in \
             dispatch\n    return handlers[name](**arguments)\n  File \
             \"/srv/notebook/app/store.py\", line 41, in check\n    raise ValueError(message)\n\
             ValueError: {}",
            why.as_str().unwrap_or_default()
        ))
    };
    each_response(acts, |response| {
        if response["result"]["isError"] == true
            && let Some(text) = response.pointer_mut("/result/content/0/text")
        {
            *text = trace(text);
        }
        if let Some(message) = response.pointer_mut("/error/message") {
            *message = trace(message);
        }
    })
}
