//! Servers that answer late, twice, wrongly addressed, out of shape, or never.

use serde_json::{Value, json};

use super::good::good;
use crate::mode::{Act, Mode, Scene, each_response};
use crate::server::Server;
use crate::tools::bulk;

pub(super) const MODES: &[Mode] = &[
    Mode::good("id-mismatch", good).bending(misaddressed),
    Mode::good("never-answers", good)
        .bending(|scene, acts| if scene.is_call() { Vec::new() } else { acts }),
    Mode::good("hanging-tool", good)
        .bending(|scene, acts| if scene.tool() == "search_notes" { Vec::new() } else { acts }),
    Mode::good("late-answers", good).delaying(3000).bending(|scene, acts| {
        if scene.is_call() { [vec![Act::Wait(scene.delay)], acts].concat() } else { acts }
    }),
    Mode::good("duplicate-answers", good)
        .bending(|_, acts| acts.into_iter().flat_map(|act| [act.clone(), act]).collect()),
    Mode::good("ill-formed", good).bending(out_of_shape),
    Mode::good("huge-answer", huge),
];

fn huge() -> Server {
    let mut server = good();
    server.tools.push(bulk::get_archive());
    server
}

/// Tool calls get the right number as a string, or another number.
fn misaddressed(scene: &Scene<'_>, acts: Vec<Act>) -> Vec<Act> {
    if !scene.is_call() {
        return acts;
    }
    each_response(acts, |response| {
        response["id"] = match (&response["id"], scene.calls % 2) {
            (Value::Number(id), 1) => json!(id.to_string()),
            (_, _) => json!(1_000_000 + scene.calls),
        };
    })
}

/// Every tool call breaks the shape of a response in the next of four ways.
fn out_of_shape(scene: &Scene<'_>, acts: Vec<Act>) -> Vec<Act> {
    if !scene.is_call() {
        return acts;
    }
    each_response(acts, |response| match scene.calls % 4 {
        1 => response["error"] = json!({ "code": 0, "message": "no error" }),
        2 => {
            let error = json!({ "code": "-32603", "message": "internal error" });
            *response = json!({ "jsonrpc": "2.0", "id": response["id"], "error": error });
        }
        3 => {
            *response = json!({ "id": response["id"], "result": response["result"] });
        }
        _ => *response = json!({ "jsonrpc": "2.0", "id": response["id"] }),
    })
}
