//! A store whose ids nobody can guess: they come from its list, or from storing something.

use serde_json::{Value, json};

use crate::tool::{Answer, Tool, object};
use crate::world::Item;

pub(crate) fn all() -> Vec<Tool> {
    vec![list(), get(), store(), remove()]
}

/// The defect: says that the item is gone and leaves it where it is.
pub(crate) fn remove_nothing() -> Tool {
    remove().doing(|world, arguments, _| {
        let id = arguments["id"].as_str().unwrap_or_default();
        match world.items.iter().any(|item| item.id == id) {
            true => Answer::Data(json!({ "removed": id })),
            false => unknown(),
        }
    })
}

fn list() -> Tool {
    let entry = object(
        json!({ "id": { "type": "string" }, "name": { "type": "string" } }),
        &["id", "name"],
    );
    Tool::new(
        "list_items",
        "Lists what is in the store: the id and the name of each item. The other tools need the id.",
        object(json!({}), &[]),
        |world, _, _| {
            let entry = |item: &Item| json!({ "id": item.id, "name": item.name });
            let items: Vec<Value> = world.items.iter().map(entry).collect();
            Answer::Data(json!({ "items": items }))
        },
    )
    .returning(object(json!({ "items": { "type": "array", "items": entry } }), &["items"]))
    .reads()
    .titled("List items")
}

fn get() -> Tool {
    Tool::new(
        "get_item",
        "Returns one item of the store with its text.",
        object(json!({ "id": id() }), &["id"]),
        |world, arguments, _| {
            let id = arguments["id"].as_str().unwrap_or_default();
            match world.items.iter().find(|item| item.id == id) {
                Some(Item { id, name, text }) => {
                    Answer::Data(json!({ "id": id, "name": name, "text": text }))
                }
                None => unknown(),
            }
        },
    )
    .returning(object(
        json!({
            "id": { "type": "string" }, "name": { "type": "string" }, "text": { "type": "string" },
        }),
        &["id", "name", "text"],
    ))
    .reads()
    .titled("Get an item")
}

fn store() -> Tool {
    let properties = json!({
        "name": {
            "type": "string", "minLength": 1, "maxLength": 80, "examples": ["lantern"],
            "description": "What the item is called, at most 80 characters.",
        },
        "text": {
            "type": "string", "maxLength": 10000, "examples": ["Needs a new wick."],
            "description": "What there is to say about it, at most 10,000 characters.",
        },
    });
    Tool::new(
        "store_item",
        "Puts an item into the store and returns its id. The store is empty of it when the server \
         stops.",
        object(properties, &["name", "text"]),
        |world, arguments, _| {
            let text = |name: &str| arguments[name].as_str().unwrap_or_default();
            match world.store(text("name"), text("text")) {
                Some(id) => Answer::Data(json!({ "id": id })),
                None => Answer::Failure("the store is full; remove an item first".to_owned()),
            }
        },
    )
    .returning(object(json!({ "id": { "type": "string" } }), &["id"]))
    .titled("Store an item")
    .writes()
}

fn remove() -> Tool {
    let mut tool = Tool::new(
        "remove_item",
        "Takes an item out of the store for good.",
        object(json!({ "id": id() }), &["id"]),
        |world, arguments, _| {
            let id = arguments["id"].as_str().unwrap_or_default();
            match world.items.iter().position(|item| item.id == id) {
                Some(at) => Answer::Data(json!({ "removed": world.items.remove(at).id })),
                None => unknown(),
            }
        },
    )
    .returning(object(json!({ "removed": { "type": "string" } }), &["removed"]))
    .titled("Remove an item")
    .writes();
    if let Some(hints) = &mut tool.annotations {
        hints["destructiveHint"] = json!(true);
    }
    tool
}

fn id() -> Value {
    json!({
        "type": "string", "minLength": 1, "maxLength": 20,
        "description": "The id of the item as list_items shows it.",
    })
}

fn unknown() -> Answer {
    Answer::Failure("no such item; call list_items for the ids there are".to_owned())
}
