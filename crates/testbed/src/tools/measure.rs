//! Pure little calculations.

use serde_json::{Value, json};

use crate::tool::{Answer, Tool, object};

pub(crate) fn all() -> Vec<Tool> {
    vec![convert_length(), count_words()]
}

const METRES: [(&str, f64); 6] = [
    ("millimetre", 0.001),
    ("metre", 1.0),
    ("kilometre", 1000.0),
    ("inch", 0.0254),
    ("foot", 0.3048),
    ("mile", 1609.344),
];

pub(crate) fn convert_length() -> Tool {
    let units: Vec<&str> = METRES.iter().map(|(unit, _)| *unit).collect();
    let properties = json!({
        "value": {
            "type": "number", "minimum": -1e12, "maximum": 1e12, "examples": [12.5],
            "description": "The length to convert.",
        },
        "from": { "type": "string", "enum": units, "description": "The unit of the value." },
        "to": { "type": "string", "enum": units, "description": "The unit wanted." },
    });
    Tool::new(
        "convert_length",
        "Converts a length from one unit to another and returns the converted value.",
        object(properties, &["value", "from", "to"]),
        |_, arguments, _| {
            let value = arguments["value"].as_f64().unwrap_or_default();
            let converted = value * metres(&arguments["from"]) / metres(&arguments["to"]);
            Answer::Data(json!({ "value": converted, "unit": arguments["to"] }))
        },
    )
    .titled("Convert length")
    .returning(object(
        json!({ "value": { "type": "number" }, "unit": { "type": "string" } }),
        &["value", "unit"],
    ))
    .reads()
}

fn metres(unit: &Value) -> f64 {
    METRES.iter().find(|(name, _)| unit == name).map_or(1.0, |(_, metres)| *metres)
}

pub(crate) fn count_words() -> Tool {
    let text = json!({
        "type": "string", "maxLength": 100_000, "examples": ["two words"],
        "description": "The text to count, at most 100,000 characters.",
    });
    Tool::new(
        "count_words",
        "Counts the words, lines and characters of a text.",
        object(json!({ "text": text }), &["text"]),
        |_, arguments, _| {
            let text = arguments["text"].as_str().unwrap_or_default();
            Answer::Data(json!({
                "words": text.split_whitespace().count(),
                "lines": text.lines().count(),
                "characters": text.chars().count(),
            }))
        },
    )
    .titled("Count words")
    .returning(object(
        json!({
            "words": { "type": "integer" },
            "lines": { "type": "integer" },
            "characters": { "type": "integer" },
        }),
        &["words", "lines", "characters"],
    ))
    .reads()
}
