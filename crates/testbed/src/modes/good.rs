//! Servers without a fault.

use serde_json::json;

use crate::mode::Mode;
use crate::server::{Body, Gap, Prompt, Resource, Server, Template};
use crate::tools::{asking, measure, notes, season, survey, valley};

pub(super) const MODES: &[Mode] = &[
    Mode::good("good", reference),
    Mode::good("good-rich", in_small_pages),
    Mode::good("good-plain", good),
];

/// The plain server that broken modes depart from.
pub(super) fn good() -> Server {
    let mut tools = notes::all();
    tools.extend(measure::all());
    tools.push(asking::find_walk());
    Server {
        instructions: Some("Keeps field notes in memory. Start with list_notes."),
        ..Server::new("notebook", "Notebook", tools)
    }
}

/// The server that does everything the protocol offers, and all of it right.
pub(super) fn reference() -> Server {
    let mut server = good();
    server.tools.extend([
        asking::read_private_note(),
        asking::summarize_note(),
        asking::list_roots(),
        asking::show_almanac(),
        survey::check_hedges(),
        survey::get_sketch(),
    ]);
    server.tools.extend(valley::all());
    server.tools.extend(season::all());
    Server {
        about: Some("Keeps field notes of a valley in memory."),
        icon: Some(valley::ICON),
        resources: RESOURCES.to_vec(),
        templates: vec![NOTE_TEMPLATE],
        prompts: PROMPTS.to_vec(),
        logging: true,
        completions: true,
        changes: true,
        tasks: true,
        page_size: 10,
        ..server
    }
}

fn in_small_pages() -> Server {
    Server { name: "notebook-rich", title: "Rich notebook", page_size: 3, ..reference() }
}

const RESOURCES: [Resource; 5] = [
    guide(
        "guide://birds",
        "birds",
        "Birds",
        "Heron: tall, grey, still. Wagtail: small, never still.",
    ),
    guide(
        "guide://trees",
        "trees",
        "Trees",
        "Hawthorn flowers after its leaves, blackthorn before.",
    ),
    guide("guide://moths", "moths", "Moths", "Angle shades looks like a withered leaf."),
    guide("guide://paths", "paths", "Paths", "The lower path floods in March."),
    Resource {
        uri: "guide://cover",
        name: "cover",
        title: "Cover",
        description: "The cover picture of the pocket guide.",
        mime: "image/png",
        body: Body::Blob(survey::SKETCH),
    },
];

const fn guide(
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    text: &'static str,
) -> Resource {
    let description = "A chapter of the pocket guide.";
    Resource { uri, name, title, description, mime: "text/plain", body: Body::Text(text) }
}

const NOTE_TEMPLATE: Template = Template {
    uri_template: "notes://{id}",
    name: "note",
    title: "Note",
    description: "A note of the notebook by its id.",
    mime: "text/markdown",
    read: notes::by_uri,
};

const PROMPTS: [Prompt; 4] = [
    Prompt {
        name: "describe_bird",
        title: "Describe a bird",
        description: "Asks for a description of a bird fit for a field note.",
        arguments: &[Gap {
            name: "bird",
            description: "The bird to describe.",
            required: true,
            values: &["heron", "hoopoe", "wagtail", "wren"],
        }],
        text: "Describe a {bird} in three sentences, as one would in a field note.",
        shows: Vec::new,
        winter: false,
    },
    Prompt {
        name: "plan_day",
        title: "Plan a day",
        description: "Asks for a plan for a day outside.",
        arguments: &[Gap {
            name: "weather",
            description: "What the weather will be like.",
            required: false,
            values: &["dry", "rain", "wind"],
        }],
        text: "Plan a day of watching wildlife. Weather: {weather}",
        shows: Vec::new,
        winter: false,
    },
    Prompt {
        name: "review_guide",
        title: "Review the guide",
        description: "Asks for a review of the pocket guide, with its first chapter and its cover.",
        arguments: &[],
        text: "Review this chapter and the cover of the pocket guide.",
        shows: || {
            let cover = json!({ "type": "image", "data": survey::SKETCH, "mimeType": "image/png" });
            vec![json!({ "type": "resource", "resource": RESOURCES[0].content() }), cover]
        },
        winter: false,
    },
    Prompt {
        name: "describe_track",
        title: "Describe a track",
        description: "Asks for a description of a track in the snow.",
        arguments: &[],
        text: "Describe the track of a hare in the snow in two sentences.",
        shows: Vec::new,
        winter: true,
    },
];
