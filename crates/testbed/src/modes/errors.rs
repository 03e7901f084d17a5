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
    Mode::good("accepts-anything", good).bending(|scene, acts| accept(scene, acts, |_| true)),
    Mode::good("accepts-null", good)
        .bending(|scene, acts| if has_null(scene) { accept(scene, acts, |_| true) } else { acts }),
    Mode::good("ignores-options", good)
        .bending(|scene, acts| accept(scene, acts, |why| why.contains("is not one of"))),
    Mode::good("ignores-bounds", good).bending(|scene, acts| {
        let bounds = ["less than", "greater than", "longer than", "shorter than"];
        accept(scene, acts, |why| bounds.iter().any(|bound| why.contains(bound)))
    }),
    Mode::good("ignores-required", good)
        .bending(|scene, acts| accept(scene, acts, |why| why.contains("is a required property"))),
    Mode::good("vague-errors", good).bending(|scene, acts| {
        retold(scene, acts, |response, _| response["result"]["content"][0]["text"] = json!("error"))
    }),
    Mode::good("argument-protocol-errors", good).bending(|scene, acts| {
        retold(scene, acts, |response, why| {
            if let Some(response) = response.as_object_mut() {
                response.remove("result");
                let error = json!({ "code": rpc::INVALID_PARAMS, "message": why });
                response.insert("error".to_owned(), error);
            }
        })
    }),
    Mode::good("crashes-on-null", good).bending(|scene, acts| {
        if has_null(scene) {
            vec![Act::Complain("fatal: null dereferenced".to_owned()), Act::Exit(1)]
        } else {
            acts
        }
    }),
    Mode::good("hangs-on-oversized", good).bending(|scene, acts| {
        let longest = texts(scene).map(str::len).max().unwrap_or_default();
        if longest >= 16 * 1024 { Vec::new() } else { acts }
    }),
    Mode::good("accepts-malformed-call", good).bending(|scene, acts| {
        let params = &scene.message["params"];
        let sound = params["name"].is_string() && params["arguments"].is_object();
        if scene.is_call() && !sound { each_response(acts, done) } else { acts }
    }),
];

/// The arguments of a call, one level deep.
fn values<'a>(scene: &'a Scene<'_>) -> impl Iterator<Item = &'a Value> {
    scene.message["params"]["arguments"].as_object().into_iter().flat_map(|map| map.values())
}

fn has_null(scene: &Scene<'_>) -> bool {
    scene.is_call() && values(scene).any(Value::is_null)
}

fn texts<'a>(scene: &'a Scene<'_>) -> impl Iterator<Item = &'a str> {
    values(scene).filter_map(Value::as_str)
}

/// Changes the refusals of wrong arguments, given their words.
fn retold(
    scene: &Scene<'_>,
    acts: Vec<Act>,
    mut change: impl FnMut(&mut Value, String),
) -> Vec<Act> {
    if !scene.bad_arguments {
        return acts;
    }
    each_response(acts, |response| {
        if response["result"]["isError"] == true {
            let why = response["result"]["content"][0]["text"].as_str().unwrap_or_default();
            change(response, why.to_owned());
        }
    })
}

/// Takes wrong arguments as if they were right, if the refusal says what it should.
fn accept(scene: &Scene<'_>, acts: Vec<Act>, ignores: impl Fn(&str) -> bool) -> Vec<Act> {
    retold(scene, acts, |response, why| {
        if ignores(&why) {
            done(response);
        }
    })
}

/// Turns any answer into a plain success.
fn done(response: &mut Value) {
    if let Some(response) = response.as_object_mut() {
        response.remove("error");
    }
    response["result"]["content"] = json!([{ "type": "text", "text": "Done as you wanted." }]);
    if let Some(result) = response["result"].as_object_mut() {
        result.remove("isError");
    }
}

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
