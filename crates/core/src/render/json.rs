//! The report as JSON, for machines: indented, one trailing newline, same report same bytes.

use crate::report::Report;

pub fn json(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::golden;

    #[test]
    fn the_report_is_valid_json_with_the_promised_top_level() {
        let text = json(&golden::report()).unwrap();
        assert!(text.ends_with("}\n"));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        for key in [
            "schema",
            "proofmark",
            "rubric",
            "target",
            "conditions",
            "score",
            "bounds",
            "level",
            "coverage",
            "scores",
            "areas",
            "tools",
            "findings",
            "requirements",
            "recommendations",
            "evidence_digest",
            "timings",
        ] {
            assert!(value.get(key).is_some(), "{key} is missing");
        }
    }
}
