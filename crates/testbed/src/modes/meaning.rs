//! Servers whose answers are well formed and mean nothing, or mean something else.

use serde_json::json;

use super::good::good;
use crate::mode::{Act, Mode, Scene, each_response};
use crate::server::Server;
use crate::tool::Tool;
use crate::tools::{hollow, measure, notes, store};

pub(super) const MODES: &[Mode] = &[
    Mode::good("canned", || with(vec![hollow::get_weather(), hollow::describe_place()])),
    Mode::good("mock-data", || with(vec![hollow::get_exchange_rate(), hollow::describe_place()])),
    Mode::good("ignores-limit", || replacing("list_notes", hollow::list_without_limit)),
    Mode::good("ignores-format", || with(vec![hollow::get_sightings(), hollow::get_tides()])),
    Mode::good("saves-nothing", || replacing("create_note", hollow::create_nothing)),
    Mode::good("wrong-structured", || replacing("count_words", hollow::count_in_words)),
    Mode::good("unflagged-error", good).bending(unflagged),
    Mode::good("stateful-store", || Server::new("store", "Store", store::all())),
    Mode::good("deletes-nothing", || {
        let mut tools = store::all();
        tools.retain(|tool| tool.name != "remove_item");
        tools.push(store::remove_nothing());
        Server::new("store", "Store", tools)
    }),
    Mode::good("slow-but-right", || {
        Server::new("abacus", "Abacus", vec![measure::convert_length()])
    })
    .delaying(1200)
    .bending(|scene, acts| {
        if scene.is_call() { [vec![Act::Wait(scene.delay)], acts].concat() } else { acts }
    }),
];

fn with(mut tools: Vec<Tool>) -> Server {
    tools.push(notes::list());
    tools.push(measure::count_words());
    Server::new("valley-desk", "Valley desk", tools)
}

/// The good server, but for one tool.
fn replacing(name: &str, change: fn(Tool) -> Tool) -> Server {
    let mut server = good();
    let tools = server.tools.into_iter();
    server.tools = tools.map(|tool| if tool.name == name { change(tool) } else { tool }).collect();
    server
}

/// Every refusal of a tool says "Error", and nothing but that says so.
fn unflagged(_: &Scene<'_>, acts: Vec<Act>) -> Vec<Act> {
    each_response(acts, |response| {
        if response["result"]["isError"] == true {
            let why = response["result"]["content"][0]["text"].as_str().unwrap_or_default();
            let says = format!("Error: {why}");
            response["result"]["content"][0]["text"] = json!(says);
            if let Some(result) = response["result"].as_object_mut() {
                result.remove("isError");
            }
        }
    })
}
