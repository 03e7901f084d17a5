//! Tools that say more than text: progress and log messages on the way, an image.

use serde_json::json;

use crate::tool::{Answer, Tool, object};

pub(crate) fn check_hedges() -> Tool {
    let sections = json!({
        "type": "integer", "minimum": 1, "maximum": 5, "default": 3,
        "description": "How many sections of hedge to check; 3 unless given.",
    });
    Tool::new(
        "check_hedges",
        "Checks the hedge section by section for gaps, reporting progress on the way, and \
         returns the number of gaps.",
        object(json!({ "sections": sections }), &[]),
        |_, arguments, aside| {
            let sections = arguments["sections"].as_u64().unwrap_or(3);
            aside.logs.push(("debug", json!(format!("checking {sections} sections"))));
            for section in 1..=sections {
                let word = format!("section {section} done");
                aside.progress.push((section, sections, word));
            }
            aside.logs.push(("info", json!("hedge checked")));
            Answer::Data(json!({ "sections": sections, "gaps": sections / 2 }))
        },
    )
    .titled("Check hedges")
    .returning(object(
        json!({ "sections": { "type": "integer" }, "gaps": { "type": "integer" } }),
        &["sections", "gaps"],
    ))
    .reads()
}

/// One dark pixel.
pub(crate) const SKETCH: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub(crate) fn get_sketch() -> Tool {
    Tool::new(
        "get_sketch",
        "Returns the sketch map of the walk as a PNG image, with its size in pixels.",
        object(json!({}), &[]),
        |_, _, _| Answer::Shown {
            blocks: vec![json!({ "type": "image", "data": SKETCH, "mimeType": "image/png" })],
            data: json!({ "width": 1, "height": 1 }),
        },
    )
    .titled("Get the sketch map")
    .returning(object(
        json!({ "width": { "type": "integer" }, "height": { "type": "integer" } }),
        &["width", "height"],
    ))
    .reads()
}
