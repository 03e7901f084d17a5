//! Tools that use what the protocol offers beyond text: time, tasks, pictures, sound, links.

use std::time::Duration;

use serde_json::json;

use crate::revision::Revision;
use crate::tool::{Answer, TaskSupport, Tool, object};
use crate::tools::survey::SKETCH;

/// Eight samples of a whistle.
const BIRDSONG: &str = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAoL6ggGBCYA==";

/// The sketch map as an icon.
pub(crate) const ICON: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub(crate) fn all() -> Vec<Tool> {
    vec![survey_valley(), compile_report(), get_birdsong(), get_leaflet(), find_tide()]
}

/// Takes its time, says how far it is, and stops when it is told to.
fn survey_valley() -> Tool {
    let duration = json!({
        "type": "integer", "minimum": 0, "maximum": 2000, "default": 200,
        "description": "How long to look around, in milliseconds; 200 unless given.",
    });
    Tool::new(
        "survey_valley",
        "Looks around the valley for a while, reporting progress on the way, and returns the \
         number of birds seen.",
        object(json!({ "duration_ms": duration }), &[]),
        |_, arguments, aside| {
            aside.takes = Duration::from_millis(arguments["duration_ms"].as_u64().unwrap_or(200));
            aside.logs.push(("info", json!("looking around")));
            for (step, place) in (1..).zip(["the weir", "the mill", "the ridge", "the barn"]) {
                aside.progress.push((step, 4, format!("looked at {place}")));
            }
            aside.logs.push(("warning", json!("the ridge was in cloud")));
            Answer::Data(json!({ "herons": 1, "wagtails": 3 }))
        },
    )
    .titled("Survey the valley")
    .returning(object(
        json!({ "herons": { "type": "integer" }, "wagtails": { "type": "integer" } }),
        &["herons", "wagtails"],
    ))
    .reads()
    .tasks(TaskSupport::Optional)
}

/// Cannot be waited for, so it exists where tasks do.
fn compile_report() -> Tool {
    Tool::new(
        "compile_report",
        "Compiles the report of the year and returns its number of pages. Runs as a task only.",
        object(json!({}), &[]),
        |_, _, aside| {
            aside.takes = Duration::from_millis(300);
            Answer::Data(json!({ "pages": 12 }))
        },
    )
    .since(Revision::V2025_11_25)
    .until(Revision::V2025_11_25)
    .titled("Compile the report")
    .returning(object(json!({ "pages": { "type": "integer" } }), &["pages"]))
    .reads()
    .tasks(TaskSupport::Required)
}

fn get_birdsong() -> Tool {
    Tool::new(
        "get_birdsong",
        "Returns the call of the wagtail as a short WAV recording, with its length.",
        object(json!({}), &[]),
        |_, _, _| Answer::Shown {
            blocks: vec![json!({ "type": "audio", "data": BIRDSONG, "mimeType": "audio/wav" })],
            data: json!({ "samples": 8 }),
        },
    )
    .since(Revision::V2025_03_26)
    .titled("Get the birdsong")
    .returning(object(json!({ "samples": { "type": "integer" } }), &["samples"]))
    .reads()
}

fn get_leaflet() -> Tool {
    Tool::new(
        "get_leaflet",
        "Returns the leaflet of the valley: the chapter on birds, a link to the one on paths and \
         the number of chapters.",
        object(json!({}), &[]),
        |_, _, _| {
            let birds = json!({
                "uri": "guide://birds", "mimeType": "text/plain",
                "text": "Heron: tall, grey, still. Wagtail: small, never still.",
            });
            let annotations = json!({ "audience": ["user"], "priority": 0.8 });
            let picture = json!({
                "type": "image", "data": SKETCH, "mimeType": "image/png",
                "annotations": annotations,
            });
            let link = json!({
                "type": "resource_link", "uri": "guide://paths", "name": "paths",
                "mimeType": "text/plain",
            });
            Answer::Shown {
                blocks: vec![json!({ "type": "resource", "resource": birds }), picture, link],
                data: json!({ "chapters": 2 }),
            }
        },
    )
    .titled("Get the leaflet")
    .returning(object(json!({ "chapters": { "type": "integer" } }), &["chapters"]))
    .reads()
    .pictured(ICON)
}

const TIDES: [(&str, u64); 3] = [("northquay", 250), ("millhaven", 325), ("saltmouth", 400)];

/// One of its arguments is also sent as a header in the stateless revision.
fn find_tide() -> Tool {
    let names: Vec<&str> = TIDES.iter().map(|(name, _)| *name).collect();
    let properties = json!({
        "harbour": { "type": "string", "enum": names, "description": "The harbour to look up." },
        "day": {
            "type": "integer", "minimum": 0, "maximum": 6, "default": 0, "x-mcp-header": "Day",
            "description": "How many days from now; today unless given.",
        },
    });
    Tool::new(
        "find_tide",
        "Returns the minute of the day at which a harbour has its first high tide.",
        object(properties, &["harbour"]),
        |_, arguments, _| {
            let tide = TIDES.iter().find(|(name, _)| arguments["harbour"] == *name);
            let today = tide.map_or(0, |(_, minute)| *minute);
            let minute = today + 50 * arguments["day"].as_u64().unwrap_or(0);
            Answer::Data(json!({ "harbour": arguments["harbour"], "minute": minute }))
        },
    )
    .titled("Find the tide")
    .returning(object(
        json!({ "harbour": { "type": "string" }, "minute": { "type": "integer" } }),
        &["harbour", "minute"],
    ))
    .reads()
}
