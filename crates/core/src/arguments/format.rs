//! Texts by JSON Schema's `format`, valid by its letter.

use super::context::Context;
use super::meaning::{Hint, Meaning, is_later, uuid};
use crate::seed::Seed;

pub(super) fn text(format: &str, hint: Hint<'_>, context: &Context, seed: Seed) -> Option<String> {
    let n = hint.index + usize::from(is_later(hint.name));
    let nth = |options: &[&str]| options[n % options.len()].to_owned();
    Some(match format {
        "date" => nth(&["2024-05-15", "2024-06-15", "2024-07-15"]),
        "time" => nth(&["12:30:00Z", "13:30:00Z", "14:30:00Z"]),
        "date-time" | "datetime" => {
            nth(&["2024-05-15T12:00:00Z", "2024-06-15T12:00:00Z", "2024-07-15T12:00:00Z"])
        }
        "duration" => nth(&["PT1S", "PT2S", "P1D"]),
        "email" | "idn-email" => format!("sample{n}@example.com"),
        "hostname" | "idn-hostname" => nth(&["localhost", "sample.localhost"]),
        "ipv4" | "ip" => nth(&["127.0.0.1", "127.0.0.2", "127.0.0.3"]),
        "ipv6" => nth(&["::1", "fd00::1", "fd00::2"]),
        "uri" | "url" | "iri" | "http-url" => Meaning::Url.text(hint, context, seed),
        "uri-reference" | "iri-reference" => nth(&["/sample", "/sample/2"]),
        "uri-template" => nth(&["/sample/{id}", "/sample/{name}"]),
        "uuid" => uuid(seed, hint),
        "json-pointer" => nth(&["/sample", "/sample/0"]),
        "json-pointer-uri-fragment" => "#/sample".to_owned(),
        "relative-json-pointer" => nth(&["0/sample", "1"]),
        "regex" => nth(&["sample", "[a-z]+"]),
        "byte" | "base64" | "binary" => nth(&["c2FtcGxl", "bm90ZXM="]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_format_is_met_by_the_letter() {
        let context = Context::in_folder("/w");
        for format in [
            "date",
            "time",
            "date-time",
            "duration",
            "email",
            "idn-email",
            "hostname",
            "idn-hostname",
            "ipv4",
            "ipv6",
            "uri",
            "iri",
            "uri-reference",
            "iri-reference",
            "uri-template",
            "uuid",
            "json-pointer",
            "relative-json-pointer",
            "regex",
        ] {
            let schema = json!({"type": "string", "format": format});
            let strict =
                jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
            for index in 0..4 {
                for name in ["x", "end"] {
                    let hint = Hint { name, about: "", index };
                    let text = text(format, hint, &context, Seed(1)).unwrap();
                    assert!(strict.is_valid(&json!(text)), "{format}: {text}");
                }
            }
        }
    }
}
