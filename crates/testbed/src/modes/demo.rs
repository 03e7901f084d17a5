//! The sample server of `proofmark demo`: pleasant, and honest about three small blemishes.

use serde_json::{Value, json};

use crate::mode::{Act, Mode, Scene, each_response};
use crate::server::Server;
use crate::tools::{measure, notes};

pub(super) const MODES: &[Mode] = &[Mode::good("demo", field_notes).bending(vague_about_titles)];

fn field_notes() -> Server {
    let mut tools = notes::all();

    // Blemish: the one name that is not like the others.
    let mut convert = measure::convert_length();
    convert.name = "convertLength".to_owned();
    tools.push(convert);

    // Blemish: a parameter nobody described.
    let mut count = measure::count_words();
    count.input = json!({
        "type": "object",
        "properties": { "text": { "type": "string", "maxLength": 100_000 } },
        "required": ["text"],
        "additionalProperties": false,
    });
    tools.push(count);

    Server {
        instructions: Some(
            "Field notes of a walker, kept in memory. list_notes shows what there is, read_note \
             gives the text of one note.",
        ),
        ..Server::new("field-notes", "Field notes", tools)
    }
}

/// Blemish: `create_note` refuses bad arguments without saying which.
fn vague_about_titles(scene: &Scene<'_>, acts: Vec<Act>) -> Vec<Act> {
    if !(scene.bad_arguments && scene.tool() == "create_note") {
        return acts;
    }
    each_response(acts, |response| {
        let vague = "The note could not be created. Please check your input.";
        if let Some(text) = response.pointer_mut("/result/content/0/text") {
            *text = Value::from(vague);
        }
        if let Some(message) = response.pointer_mut("/error/message") {
            *message = Value::from(vague);
        }
    })
}
