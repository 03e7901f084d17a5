//! A recorded suite: the `test_report_{server}.json` of the five-dimension evaluation. Strict: a
//! report that is damaged in one place gets no score at all.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::case::{Case, Said};

/// All that a suite recorded of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    pub server: String,
    pub tools: Vec<RecordedTool>,
    /// In the order of the file; nothing depends on it.
    pub cases: Vec<Case>,
    /// The suite gave up before its end.
    pub aborted: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RecordedTool {
    pub name: String,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub args_schema: Value,
}

#[derive(Debug, thiserror::Error, PartialEq)]
pub enum RecordingError {
    #[error(
        "the file ends at byte {byte}, inside the JSON text; it was cut short: take a complete copy"
    )]
    Truncated { byte: usize },
    #[error("not JSON at line {line}, column {column}: {why}; a test report is a JSON file")]
    NotJson { line: usize, column: usize, why: String },
    #[error(
        "not a test report: {why}; expected are `server_name`, `tools` and `test_results`, as in test_report_SERVER.json"
    )]
    Shape { why: String },
    #[error(
        "{place}: {why}; the report is damaged and gets no score: take a complete copy, or record the suite again"
    )]
    Case { place: String, why: String },
    #[error("the report holds no cases, so there is nothing to judge; record the suite again")]
    NoCases,
}

#[derive(Deserialize)]
struct RawReport {
    server_name: String,
    tools: Vec<RecordedTool>,
    test_results: Map<String, Value>,
    #[serde(default)]
    total_cases: Option<u64>,
    #[serde(default)]
    abnormal_termination: Option<Value>,
}

#[derive(Deserialize)]
struct RawCase {
    case_name: String,
    #[serde(default)]
    purpose: String,
    args: Map<String, Value>,
    response: Value,
    execution_time: f64,
    #[serde(default)]
    is_functional_test: Option<bool>,
    #[serde(default)]
    is_security_test: Option<bool>,
}

impl Recording {
    /// Whether a file is meant to be a test report rather than evidence of ours.
    pub fn claims(file_name: &str, bytes: &[u8]) -> bool {
        // Evidence says so in its first words; a test report is small enough to be searched.
        let opening = bytes.get(..200).unwrap_or(bytes);
        let has = |text: &[u8], mark: &[u8]| text.windows(mark.len()).any(|w| w == mark);
        !has(opening, b"proofmark.evidence/")
            && (file_name.starts_with("test_report_") || has(bytes, b"\"test_results\""))
    }

    /// The cases in an order of their own: whole, so that two that differ in anything have one.
    pub fn in_order(&self) -> Vec<Case> {
        let mut cases: Vec<&Case> = self.cases.iter().collect();
        cases.sort_by_cached_key(|c| {
            let said = c.said.text().to_owned();
            (c.tool.clone(), c.name.clone(), c.arguments.to_string(), said, c.seconds.to_bits())
        });
        cases.into_iter().cloned().collect()
    }

    pub fn parse(bytes: &[u8]) -> Result<Recording, RecordingError> {
        let raw: RawReport = read(bytes)?;
        let known: BTreeSet<&str> = raw.tools.iter().map(|t| t.name.as_str()).collect();
        let mut cases = Vec::new();
        for (tool, results) in &raw.test_results {
            if !known.contains(tool.as_str()) {
                let place = format!("test_results.{tool}");
                return Err(damaged(place, "a tool that `tools` does not name"));
            }
            let Value::Array(results) = results else {
                return Err(damaged(format!("test_results.{tool}"), "not a list of cases"));
            };
            for (n, value) in results.iter().enumerate() {
                cases.push(case(tool, n, value)?);
            }
        }
        if cases.is_empty() {
            return Err(RecordingError::NoCases);
        }
        if let Some(total) = raw.total_cases.filter(|total| *total != cases.len() as u64) {
            let why = format!("it says {total}, and {} cases are there", cases.len());
            return Err(RecordingError::Case { place: "total_cases".to_owned(), why });
        }
        let gave_up = raw.abnormal_termination.as_ref();
        let aborted = gave_up.is_some_and(|v| !matches!(v, Value::Null | Value::Bool(false)));
        Ok(Recording { server: raw.server_name, tools: raw.tools, cases, aborted })
    }
}

fn read(bytes: &[u8]) -> Result<RawReport, RecordingError> {
    // A list would be taken for a record by position.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(RecordingError::Shape { why: "it is a list, not an object".to_owned() });
    }
    let reader = &mut serde_json::Deserializer::from_slice(bytes);
    let report = serde_path_to_error::deserialize(&mut *reader).map_err(|error| {
        let field = error.path().to_string();
        let why = error.into_inner();
        if why.is_eof() {
            RecordingError::Truncated { byte: bytes.len() }
        } else if why.is_syntax() {
            let (line, column) = (why.line(), why.column());
            RecordingError::NotJson { line, column, why: plain(&why) }
        } else {
            RecordingError::Shape { why: named(&field, &plain(&why)) }
        }
    })?;
    reader.end().map_err(|why| RecordingError::NotJson {
        line: why.line(),
        column: why.column(),
        why: plain(&why),
    })?;
    Ok(report)
}

fn named(field: &str, why: &str) -> String {
    if field == "." { why.to_owned() } else { format!("field `{field}`: {why}") }
}

/// Without the place, which the message names by itself.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(head, _)| head.to_owned())
}

fn case(tool: &str, n: usize, value: &Value) -> Result<Case, RecordingError> {
    let place = || {
        let name = value.get("case_name").and_then(Value::as_str).unwrap_or("without a name");
        format!("test_results.{tool}[{n}] ({name})")
    };
    let raw: RawCase = serde_path_to_error::deserialize(value).map_err(|error| {
        let field = error.path().to_string();
        let why = error.into_inner();
        damaged(place(), &named(&field, &why.to_string()))
    })?;
    if !(raw.execution_time.is_finite() && raw.execution_time >= 0.0) {
        return Err(damaged(place(), "field `execution_time`: not a time"));
    }
    let said = said(&raw.response).ok_or_else(|| {
        let expected = "field `response`: expected `result`, `error` or a list of contents";
        damaged(place(), expected)
    })?;
    Ok(Case {
        tool: tool.to_owned(),
        name: raw.case_name,
        purpose: raw.purpose,
        arguments: Value::Object(raw.args),
        said,
        seconds: raw.execution_time,
        functional: raw.is_functional_test,
        security: raw.is_security_test,
        proven: None,
    })
}

fn damaged(place: String, why: &str) -> RecordingError {
    RecordingError::Case { place, why: why.to_owned() }
}

fn said(response: &Value) -> Option<Said> {
    match response {
        Value::Array(blocks) => Some(Said::Result(texts(blocks))),
        Value::Object(map) => match (map.get("result"), map.get("error")) {
            (Some(result), None) => Some(Said::Result(text(result))),
            (None, Some(error)) => Some(Said::Error(text(error))),
            (Some(_), Some(_)) | (None, None) => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => texts(blocks),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

/// The texts of content blocks; anything else as the JSON it is.
fn texts(blocks: &[Value]) -> String {
    let block = |b: &Value| b.get("text").and_then(Value::as_str).map(str::to_owned);
    let all: Option<Vec<String>> = blocks.iter().map(block).collect();
    match all {
        Some(texts) if !texts.is_empty() => texts.join("\n"),
        Some(_) | None => Value::Array(blocks.to_vec()).to_string(),
    }
}
