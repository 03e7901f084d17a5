//! Servers that come up late, wrongly or not at all.

use serde_json::json;

use super::good::good;
use crate::mode::{Act, Mode, each_response};

pub(super) const MODES: &[Mode] = &[
    Mode::good("slow-start", good).delaying(6000).starting(|delay| vec![Act::Wait(delay)]),
    Mode::good("exits-at-once", good).starting(|_| vec![Act::Exit(3)]),
    Mode::good("missing-key", good).starting(|_| {
        let says = "Error: WEATHER_API_KEY environment variable is required";
        vec![Act::Complain(says.to_owned()), Act::Exit(1)]
    }),
    Mode::good("init-error", good).bending(|scene, acts| {
        if !matches!(scene.method(), "initialize" | "server/discover") {
            return acts;
        }
        each_response(acts, |response| {
            let message = "WEATHER_API_KEY is not set: get an API key and put it there";
            *response = json!({
                "jsonrpc": "2.0",
                "id": response["id"],
                "error": { "code": -32603, "message": message },
            });
        })
    }),
    Mode::good("silent", good).bending(|_, _| Vec::new()),
];
