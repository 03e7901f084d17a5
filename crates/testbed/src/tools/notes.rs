//! A notebook: list, search, read, create.

use serde_json::{Value, json};

use crate::tool::{Answer, Tool, object};
use crate::world::{Note, World};

pub(crate) fn all() -> Vec<Tool> {
    vec![list(), search(), read(), create()]
}

pub(crate) fn list() -> Tool {
    let limit = json!({
        "type": "integer", "minimum": 1, "maximum": 50, "default": 20,
        "description": "How many notes to list at most; 20 unless given.",
    });
    Tool::new(
        "list_notes",
        "Lists the notes of the notebook with their ids and titles, oldest first. Use read_note \
         to get the text of one.",
        object(json!({ "limit": limit }), &[]),
        |world, arguments, _| {
            let limit = arguments["limit"].as_u64().unwrap_or(20);
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            Answer::Data(json!({ "notes": titles(world.notes.iter().take(limit)) }))
        },
    )
    .titled("List notes")
    .returning(titles_schema())
    .reads()
}

fn search() -> Tool {
    let query = json!({
        "type": "string", "minLength": 1, "maxLength": 200, "examples": ["heron"],
        "description": "Words to look for in titles and texts; case does not matter.",
    });
    Tool::new(
        "search_notes",
        "Finds the notes whose title or text contains the query and lists their ids and titles. \
         Returns an empty list when nothing matches.",
        object(json!({ "query": query }), &["query"]),
        |world, arguments, _| {
            let found = world.search(arguments["query"].as_str().unwrap_or_default());
            Answer::Data(json!({ "notes": titles(found.take(50)) }))
        },
    )
    .titled("Search notes")
    .returning(titles_schema())
    .reads()
}

pub(crate) fn read() -> Tool {
    let id = json!({
        "type": "string", "pattern": "^note-[0-9]{1,9}$", "examples": ["note-1"],
        "description": "The id of the note as list_notes shows it, such as note-1.",
    });
    Tool::new(
        "read_note",
        "Reads one note and returns its title and full text.",
        object(json!({ "id": id }), &["id"]),
        |world, arguments, _| {
            let id = arguments["id"].as_str().unwrap_or_default();
            match world.note(id) {
                Some(Note { id, title, body }) => {
                    Answer::Data(json!({ "id": id, "title": title, "body": body }))
                }
                None => Answer::Failure(format!(
                    "no note has the id {id}; call list_notes for the ids there are"
                )),
            }
        },
    )
    .titled("Read note")
    .returning(object(
        json!({
            "id": { "type": "string" }, "title": { "type": "string" }, "body": { "type": "string" },
        }),
        &["id", "title", "body"],
    ))
    .reads()
}

fn create() -> Tool {
    let properties = json!({
        "title": {
            "type": "string", "minLength": 1, "maxLength": 120, "examples": ["Owl in the barn"],
            "description": "The heading of the note, at most 120 characters.",
        },
        "body": {
            "type": "string", "maxLength": 10000, "examples": ["Heard twice before dawn."],
            "description": "The text of the note, at most 10,000 characters.",
        },
    });
    Tool::new(
        "create_note",
        "Adds a note to the notebook and returns its id. The notebook lives in memory and is \
         gone when the server stops.",
        object(properties, &["title", "body"]),
        |world, arguments, _| {
            let text = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
            match world.add(&text("title"), &text("body")) {
                Some(id) => Answer::Data(json!({ "id": id })),
                None => Answer::Failure(
                    "the notebook is full; restart the server to empty it".to_owned(),
                ),
            }
        },
    )
    .titled("Create note")
    .returning(object(json!({ "id": { "type": "string" } }), &["id"]))
    .writes()
}

pub(crate) fn titles<'a>(notes: impl Iterator<Item = &'a Note>) -> Vec<Value> {
    notes.map(|note| json!({ "id": note.id, "title": note.title })).collect()
}

fn titles_schema() -> Value {
    let entry = object(
        json!({ "id": { "type": "string" }, "title": { "type": "string" } }),
        &["id", "title"],
    );
    object(json!({ "notes": { "type": "array", "items": entry } }), &["notes"])
}

/// The text of `notes://{id}`.
pub(crate) fn by_uri(world: &World, uri: &str) -> Option<String> {
    let note = world.note(uri.strip_prefix("notes://")?)?;
    Some(format!("# {}\n\n{}\n", note.title, note.body))
}
