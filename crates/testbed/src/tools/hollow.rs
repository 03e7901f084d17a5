//! Tools that look like work and are none, and their honest look-alikes.

use serde_json::{Value, json};

use crate::tool::{Answer, Answering, Tool, object};
use crate::tools::notes;

/// The defect: the same weather everywhere.
pub(crate) fn get_weather() -> Tool {
    about_place("get_weather", "Returns the weather at a place in the valley.", |_, _, _| {
        Answer::Data(json!({ "says": "Sunny with a light wind from the west, 21 degrees." }))
    })
    .titled("Get the weather")
}

/// The look-alike: what it says is much the same, and is about the place asked for.
pub(crate) fn describe_place() -> Tool {
    about_place("describe_place", "Describes a place in the valley.", |_, arguments, _| {
        let place = arguments["place"].as_str().unwrap_or_default();
        let metres = 100 + 7 * place.chars().map(u32::from).sum::<u32>() % 300;
        Answer::Data(json!({ "says": format!("A quiet spot with a bench, {metres} metres up.") }))
    })
    .titled("Describe a place")
}

fn about_place(name: &str, description: &str, run: Answering) -> Tool {
    let place = json!({
        "type": "string", "minLength": 1, "maxLength": 80, "examples": ["the weir"],
        "description": "Where: any name that walkers use.",
    });
    Tool::new(name, description, object(json!({ "place": place }), &["place"]), run)
        .returning(object(json!({ "says": { "type": "string" } }), &["says"]))
        .reads()
}

/// The defect: a draft that says so itself, though only in its answers.
pub(crate) fn get_exchange_rate() -> Tool {
    let pair = json!({
        "type": "string", "minLength": 3, "maxLength": 20, "examples": ["EUR/USD"],
        "description": "Two currencies with a slash between them, such as EUR/USD.",
    });
    Tool::new(
        "get_exchange_rate",
        "Returns the exchange rate of two currencies.",
        object(json!({ "pair": pair }), &["pair"]),
        |_, arguments, _| {
            let pair = arguments["pair"].as_str().unwrap_or_default();
            let rate = 1.0 + pair.len() as f64 / 100.0;
            Answer::Data(json!({ "pair": pair, "rate": rate, "source": "mock data" }))
        },
    )
    .returning(object(
        json!({
            "pair": { "type": "string" },
            "rate": { "type": "number" },
            "source": { "type": "string" },
        }),
        &["pair", "rate", "source"],
    ))
    .reads()
    .titled("Get an exchange rate")
}

/// The defect: JSON, whatever the format.
pub(crate) fn get_sightings() -> Tool {
    in_format("get_sightings", "Returns the bird sightings of the week.", |_, _, _| {
        let seen = json!([{ "bird": "owl", "times": 2 }, { "bird": "heron", "times": 5 }]);
        Answer::Data(json!({ "report": seen.to_string() }))
    })
    .titled("Get the sightings")
}

/// The look-alike: other words for the same table.
pub(crate) fn get_tides() -> Tool {
    in_format("get_tides", "Returns the tides at the weir this week.", |_, arguments, _| {
        let tides = [("Monday", 2.1), ("Tuesday", 2.4)];
        let rows = |line: fn(&(&str, f64)) -> String| tides.iter().map(line).collect::<String>();
        let report = match arguments["format"].as_str() {
            Some("csv") => format!("day,metres\n{}", rows(|(day, m)| format!("{day},{m}\n"))),
            Some("markdown") => rows(|(day, m)| format!("- **{day}**: {m} m\n")),
            Some(_) | None => json!(tides).to_string(),
        };
        Answer::Data(json!({ "report": report }))
    })
    .titled("Get the tides")
}

fn in_format(name: &str, description: &str, run: Answering) -> Tool {
    let format = json!({
        "type": "string", "enum": ["json", "csv", "markdown"], "default": "json",
        "description": "The format of the answer.",
    });
    Tool::new(name, description, object(json!({ "format": format }), &[]), run)
        .returning(object(json!({ "report": { "type": "string" } }), &["report"]))
        .reads()
}

/// The defect: all notes, whatever the limit.
pub(crate) fn list_without_limit(list: Tool) -> Tool {
    list.doing(|world, _, _| Answer::Data(json!({ "notes": notes::titles(world.notes.iter()) })))
}

/// The defect: an id for a note that is kept nowhere.
pub(crate) fn create_nothing(create: Tool) -> Tool {
    create.doing(|world, _, _| {
        let id = format!("note-{}", world.notes.len() + 1);
        Answer::Data(json!({ "id": id }))
    })
}

/// The defect: counts as words where the output schema promises numbers.
pub(crate) fn count_in_words(count: Tool) -> Tool {
    count.doing(|_, arguments, _| {
        let text = arguments["text"].as_str().unwrap_or_default();
        let said = |n: usize| Value::from(format!("about {n}"));
        Answer::Data(json!({
            "words": said(text.split_whitespace().count()),
            "lines": said(text.lines().count()),
            "characters": said(text.chars().count()),
        }))
    })
}
