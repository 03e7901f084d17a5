//! Tools that need something from the client before they can answer.

use serde_json::{Value, json};

use crate::ask::{Ask, AskKind, Otherwise};
use crate::revision::Revision;
use crate::tool::{Answer, Tool, object};
use crate::world::World;

/// Asks the user, and can do without.
pub(crate) fn find_walk() -> Tool {
    let distance = json!({
        "type": "number", "minimum": 0.5, "maximum": 40, "examples": [5],
        "description": "How far to walk, in kilometres.",
    });
    Tool::asking(
        "find_walk",
        "Suggests a walk of about the given length. Asks the user how muddy it may be when the \
         client can ask, and takes the dry path otherwise.",
        object(json!({ "distance_km": distance }), &["distance_km"]),
        |_, arguments| {
            let mud = json!({
                "type": "string", "enum": ["none", "some", "any"],
                "title": "Mud", "description": "How much mud is acceptable",
            });
            Ask {
                kind: AskKind::Elicit {
                    message: "How muddy may the walk be?".to_owned(),
                    schema: json!({
                        "type": "object", "properties": { "mud": mud }, "required": ["mud"],
                    }),
                },
                then: |_, arguments, reply| match reply["content"]["mud"].as_str() {
                    Some("some" | "any") => Answer::Data(walk("the ford", arguments)),
                    Some(_) | None => Answer::Data(walk("the dry lane", arguments)),
                },
                otherwise: Otherwise::Answer(walk("the dry lane", arguments)),
            }
        },
    )
    .titled("Find a walk")
    .returning(object(
        json!({ "walk": { "type": "string" }, "distance_km": { "type": "number" } }),
        &["walk", "distance_km"],
    ))
    .reads()
}

fn walk(path: &str, arguments: &Value) -> Value {
    json!({ "walk": format!("Out by {path} and home by the mill."), "distance_km": arguments["distance_km"] })
}

/// Asks the user, and cannot do without.
pub(crate) fn read_private_note() -> Tool {
    Tool::asking(
        "read_private_note",
        "Reads the private note after the user has agreed. Needs a client that can ask the user.",
        object(json!({}), &[]),
        |_, _| {
            let agree = json!({ "type": "boolean", "title": "Show it", "description": "Show the private note" });
            Ask {
                kind: AskKind::Elicit {
                    message: "Show the private note to the assistant?".to_owned(),
                    schema: json!({
                        "type": "object", "properties": { "agree": agree }, "required": ["agree"],
                    }),
                },
                then: |_, _, reply| {
                    let agreed = reply["action"] == "accept" && reply["content"]["agree"] == true;
                    let text = agreed.then_some("The owl nests in the third barn.");
                    Answer::Data(json!({ "shown": agreed, "text": text.unwrap_or("kept private") }))
                },
                otherwise: Otherwise::Refuse,
            }
        },
    )
    .since(Revision::V2025_06_18)
    .titled("Read the private note")
    .returning(object(
        json!({ "shown": { "type": "boolean" }, "text": { "type": "string" } }),
        &["shown", "text"],
    ))
    .reads()
}

/// Asks the client's model, and can do without.
pub(crate) fn summarize_note() -> Tool {
    let id = json!({
        "type": "string", "enum": ["note-1", "note-2", "note-3", "note-4", "note-5"],
        "description": "The id of one of the first five notes.",
    });
    Tool::asking(
        "summarize_note",
        "Summarises a note in one sentence, with the client's model when it may be used and by \
         taking the first sentence otherwise.",
        object(json!({ "id": id }), &["id"]),
        |world, arguments| {
            let text = body(world, arguments);
            Ask {
                kind: AskKind::Sample { prompt: format!("Summarise in one sentence: {text}") },
                then: |world, arguments, reply| {
                    // One block, or a list of them since 2025-11-25.
                    let content = reply["content"].get(0).unwrap_or(&reply["content"]);
                    let fallback = first_sentence(&body(world, arguments));
                    let says = content["text"].as_str().map_or(fallback, str::to_owned);
                    Answer::Data(json!({ "summary": says }))
                },
                otherwise: Otherwise::Answer(json!({ "summary": first_sentence(&text) })),
            }
        },
    )
    .titled("Summarise note")
    .returning(object(json!({ "summary": { "type": "string" } }), &["summary"]))
    .reads()
}

fn body(world: &World, arguments: &Value) -> String {
    let id = arguments["id"].as_str().unwrap_or_default();
    world.note(id).map(|note| note.body.clone()).unwrap_or_default()
}

fn first_sentence(text: &str) -> String {
    text.split_inclusive('.').next().unwrap_or_default().to_owned()
}

/// Asks the client for its roots, and can do without.
pub(crate) fn list_roots() -> Tool {
    Tool::asking(
        "list_roots",
        "Lists the folders that the client has opened, or none when the client does not tell.",
        object(json!({}), &[]),
        |_, _| Ask {
            kind: AskKind::Roots,
            then: |_, _, reply| {
                let roots = reply["roots"].as_array().cloned().unwrap_or_default();
                let uris: Vec<&str> = roots.iter().filter_map(|r| r["uri"].as_str()).collect();
                Answer::Data(json!({ "roots": uris }))
            },
            otherwise: Otherwise::Answer(json!({ "roots": [] })),
        },
    )
    .titled("List roots")
    .returning(object(
        json!({ "roots": { "type": "array", "items": { "type": "string" } } }),
        &["roots"],
    ))
    .reads()
}

/// Sends the user to a page, and can do without.
pub(crate) fn show_almanac() -> Tool {
    Tool::asking(
        "show_almanac",
        "Shows the user the page of the almanac about the valley and returns whether the user \
         agreed to see it; false when the client has no way to show pages.",
        object(json!({}), &[]),
        |_, _| Ask {
            kind: AskKind::Visit {
                message: "See the almanac page about the valley?".to_owned(),
                url: "https://almanac.example/valley",
            },
            then: |_, _, reply| Answer::Data(json!({ "shown": reply["action"] == "accept" })),
            otherwise: Otherwise::Answer(json!({ "shown": false })),
        },
    )
    .since(Revision::V2025_11_25)
    .titled("Show the almanac")
    .returning(object(json!({ "shown": { "type": "boolean" } }), &["shown"]))
    .reads()
}
