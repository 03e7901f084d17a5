//! Tools that change what there is: a note's text, the list of resources, the lists of tools and
//! prompts. Lists never change in the stateless revision.

use serde_json::{Value, json};

use crate::revision::Revision;
use crate::tool::{Answer, Tool, object};
use crate::world::World;

pub(crate) fn all() -> Vec<Tool> {
    vec![rewrite_note(), pin_note(), unpin_note(), set_season(), count_tracks()]
}

fn id() -> Value {
    json!({
        "type": "string", "pattern": "^note-[0-9]{1,9}$", "examples": ["note-5"],
        "description": "The id of the note as list_notes shows it, such as note-5.",
    })
}

fn unknown(id: &str) -> Answer {
    Answer::Failure(format!("no note has the id {id}; call list_notes for the ids there are"))
}

fn rewrite_note() -> Tool {
    let body = json!({
        "type": "string", "maxLength": 10000, "examples": ["The stile is mended."],
        "description": "The new text of the note, at most 10,000 characters.",
    });
    let mut tool = Tool::new(
        "rewrite_note",
        "Replaces the text of a note and returns its new length in characters.",
        object(json!({ "id": id(), "body": body }), &["id", "body"]),
        |world, arguments, _| {
            let text = |name: &str| arguments[name].as_str().unwrap_or_default();
            if world.rewrite(text("id"), text("body")) {
                let characters = text("body").chars().count();
                Answer::Data(json!({ "id": text("id"), "characters": characters }))
            } else {
                unknown(text("id"))
            }
        },
    )
    .titled("Rewrite note")
    .returning(object(
        json!({ "id": { "type": "string" }, "characters": { "type": "integer" } }),
        &["id", "characters"],
    ))
    .writes();
    if let Some(hints) = &mut tool.annotations {
        hints["destructiveHint"] = json!(true);
        hints["idempotentHint"] = json!(true);
    }
    tool
}

fn pin_note() -> Tool {
    pinning(
        "pin_note",
        "Adds a note to the list of resources.",
        "Pin note",
        |world, arguments, _| pin(world, arguments, true),
    )
}

fn unpin_note() -> Tool {
    pinning(
        "unpin_note",
        "Takes a note out of the list of resources; the note itself stays.",
        "Unpin note",
        |world, arguments, _| pin(world, arguments, false),
    )
}

fn pinning(name: &str, description: &str, title: &str, run: crate::tool::Answering) -> Tool {
    let mut tool = Tool::new(name, description, object(json!({ "id": id() }), &["id"]), run)
        .until(Revision::V2025_11_25)
        .titled(title)
        .returning(object(
            json!({ "id": { "type": "string" }, "pinned": { "type": "boolean" } }),
            &["id", "pinned"],
        ))
        .writes();
    if let Some(hints) = &mut tool.annotations {
        hints["idempotentHint"] = json!(true);
    }
    tool
}

fn pin(world: &mut World, arguments: &Value, pinned: bool) -> Answer {
    let id = arguments["id"].as_str().unwrap_or_default();
    if world.note(id).is_none() {
        return unknown(id);
    }
    world.pin(id, pinned);
    Answer::Data(json!({ "id": id, "pinned": pinned }))
}

fn set_season() -> Tool {
    let season = json!({
        "type": "string", "enum": ["summer", "winter"], "description": "The season to change to.",
    });
    let mut tool = Tool::new(
        "set_season",
        "Changes the season. In winter there is a tool and a prompt more, about tracks in the snow.",
        object(json!({ "season": season }), &["season"]),
        |world, arguments, _| {
            world.set_winter(arguments["season"] == "winter");
            Answer::Data(json!({ "season": arguments["season"] }))
        },
    )
    .until(Revision::V2025_11_25)
    .titled("Set the season")
    .returning(object(json!({ "season": { "type": "string" } }), &["season"]))
    .writes();
    if let Some(hints) = &mut tool.annotations {
        hints["idempotentHint"] = json!(true);
    }
    tool
}

fn count_tracks() -> Tool {
    Tool::new(
        "count_tracks",
        "Counts the tracks in the snow by animal.",
        object(json!({}), &[]),
        |_, _, _| Answer::Data(json!({ "fox": 2, "hare": 5 })),
    )
    .until(Revision::V2025_11_25)
    .in_winter()
    .titled("Count tracks")
    .returning(object(
        json!({ "fox": { "type": "integer" }, "hare": { "type": "integer" } }),
        &["fox", "hare"],
    ))
    .reads()
}
