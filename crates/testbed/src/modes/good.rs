//! Servers without a fault.

use crate::mode::Mode;
use crate::server::{Gap, Prompt, Resource, Server, Template};
use crate::tools::{asking, measure, notes, survey};

pub(super) const MODES: &[Mode] = &[Mode::good("good", good), Mode::good("good-rich", good_rich)];

/// The server that broken modes depart from.
pub(super) fn good() -> Server {
    let mut tools = notes::all();
    tools.extend(measure::all());
    tools.push(asking::find_walk());
    Server {
        instructions: Some("Keeps field notes in memory. Start with list_notes."),
        ..Server::new("notebook", "Notebook", tools)
    }
}

fn good_rich() -> Server {
    let mut tools = good().tools;
    tools.extend([
        asking::read_private_note(),
        asking::summarize_note(),
        asking::list_roots(),
        survey::check_hedges(),
        survey::get_sketch(),
    ]);
    Server {
        instructions: Some("Keeps field notes in memory. Start with list_notes."),
        resources: RESOURCES.to_vec(),
        templates: vec![NOTE_TEMPLATE],
        prompts: PROMPTS.to_vec(),
        logging: true,
        completions: true,
        page_size: 3,
        ..Server::new("notebook-rich", "Rich notebook", tools)
    }
}

const RESOURCES: [Resource; 4] = [
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
];

const fn guide(
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    text: &'static str,
) -> Resource {
    let description = "A chapter of the pocket guide.";
    Resource { uri, name, title, description, mime: "text/plain", text }
}

const NOTE_TEMPLATE: Template = Template {
    uri_template: "notes://{id}",
    name: "note",
    title: "Note",
    description: "A note of the notebook by its id.",
    mime: "text/markdown",
    read: notes::by_uri,
};

const PROMPTS: [Prompt; 2] = [
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
    },
];
