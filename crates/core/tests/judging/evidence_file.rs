//! Evidence files: what a damaged or foreign one says.

use proofmark_core::evidence::{Evidence, EvidenceError, Reply, SCHEMA};
use proofmark_core::pages;
use serde_json::{Value, json};

fn evidence() -> Evidence {
    let snippet = r#"{"tools": [{"name": "a"}],
        "exchanges": [{"probe": "p", "tool": "a", "reply": {"text": "fine"}}]}"#;
    pages::evidence(snippet).unwrap_or_else(|e| panic!("{e}"))
}

fn error(bytes: &[u8]) -> String {
    match Evidence::from_slice(bytes) {
        Ok(_) => panic!("it was read"),
        Err(e) => e.to_string(),
    }
}

fn changed(change: impl Fn(&mut Value)) -> String {
    let mut value = serde_json::to_value(evidence()).expect("serialises");
    change(&mut value);
    error(value.to_string().as_bytes())
}

#[test]
fn what_is_written_is_read_back_the_same() {
    let bytes = evidence().to_vec().expect("writes");
    assert_eq!(Evidence::from_slice(&bytes).expect("reads"), evidence());
    assert!(bytes.ends_with(b"\n"));
}

/// Long enough to be read in pieces; the answers look like exchanges themselves.
fn long() -> Evidence {
    let mut long = evidence();
    let decoy =
        json!({"id": 7, "probe": "p", "transcript": [1], "frames": [{"id": 8, "probe": "q"}]});
    for i in 0..6_000 {
        let mut next = long.transcript[0].clone();
        next.label = format!("{i} {}", "x".repeat(200));
        if next.result().is_some() {
            // Some of them answered the same.
            let text = "\"frames\":[{\"id\":1,\"probe\"";
            let value = json!([decoy, {"text": text}, decoy, i % 50]);
            next.reply = Reply::Result { value }.into();
        }
        long.transcript.push(next);
    }
    long
}

#[test]
fn a_long_file_is_read_the_same_whoever_wrote_it() {
    let long = long();
    let bytes = long.to_vec().expect("writes");
    assert!(bytes.len() > 2 << 20);
    assert_eq!(Evidence::from_slice(&bytes).expect("reads"), long);
    let spaced = serde_json::to_vec_pretty(&long).expect("writes");
    assert_eq!(Evidence::from_slice(&spaced).expect("reads"), long);
    let sorted: Value = serde_json::from_slice(&bytes).expect("is JSON");
    assert_eq!(Evidence::from_slice(sorted.to_string().as_bytes()).expect("reads"), long);
}

#[test]
fn a_long_file_that_is_damaged_says_where() {
    let mut value = serde_json::to_value(long()).expect("serialises");
    value["transcript"][4_000]["took"] = json!(-1);
    let message = error(value.to_string().as_bytes());
    assert!(message.starts_with("field `transcript[4000].took`"), "{message}");
    let bytes = long().to_vec().expect("writes");
    let message = error(&bytes[..bytes.len() - 100]);
    assert!(message.starts_with("the file ends at byte"), "{message}");
}

#[test]
fn a_truncated_file_names_the_byte_where_it_ends() {
    let bytes = evidence().to_vec().expect("writes");
    for cut in [1, 2, bytes.len() / 3, bytes.len() / 2, bytes.len() - 3] {
        match Evidence::from_slice(&bytes[..cut]) {
            Err(EvidenceError::Truncated { byte }) => assert_eq!(byte, cut),
            other => panic!("cut at {cut}: {other:?}"),
        }
    }
    assert!(error(&bytes[..40]).starts_with("the file ends at byte 40, inside the JSON text"));
    assert!(error(b"").starts_with("the file ends at byte 0"));
}

#[test]
fn a_foreign_file_names_the_field_that_gives_it_away() {
    assert!(error(b"{}").contains("field `schema` is missing, expected `proofmark.evidence/1.0`"));
    assert!(error(br#"{"schema": 3}"#).contains("field `schema` is 3, expected"));
    assert!(error(br#"{"schema": "other/1"}"#).contains("field `schema` is `other/1`"));
    assert!(error(b"[1, 2]").starts_with("not a Proofmark evidence file"));
    assert!(error(b"# a README\n").starts_with("not JSON at line 1, column 1"));
}

#[test]
fn another_major_version_is_refused_and_a_newer_minor_one_is_read() {
    let other = changed(|v| v["schema"] = json!("proofmark.evidence/2.0"));
    assert!(other.contains("`proofmark.evidence/2.0` can't be read by this build"), "{other}");
    assert!(other.contains("reads proofmark.evidence/1.x"), "{other}");

    let newer = serde_json::to_string(&evidence()).expect("serialises");
    let newer = newer.replace(SCHEMA, "proofmark.evidence/1.9");
    assert!(Evidence::from_slice(newer.as_bytes()).is_ok());
}

#[test]
fn a_field_of_the_wrong_type_is_named_by_its_path() {
    let message = changed(|v| v["conditions"]["max_calls"] = json!("many"));
    assert!(message.starts_with("field `conditions.max_calls`: invalid type: string"), "{message}");
    let message = changed(|v| v["transcript"][1]["took"] = json!(-1));
    assert!(message.starts_with("field `transcript[1].took`: invalid value"), "{message}");
    let message = changed(|v| v["inventory"]["tools"][0]["name"] = Value::Null);
    assert!(message.starts_with("field `inventory.tools[0].name`"), "{message}");
}

#[test]
fn an_unknown_or_missing_field_is_named() {
    let message = changed(|v| v["conditions"]["colour"] = json!("blue"));
    assert!(message.contains("unknown field `colour`"), "{message}");
    let message = changed(|v| {
        v.as_object_mut().expect("an object").remove("transcript");
    });
    assert!(message.contains("missing field `transcript`"), "{message}");
}
