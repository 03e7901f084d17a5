//! Evidence as a file: versioned JSON, with errors that name the byte or the field.

use serde_json::Value;

use super::{Evidence, pieces};

/// Format and version. The major number changes when older readers would misread.
pub const SCHEMA: &str = "proofmark.evidence/1.0";

const FORMAT: &str = "proofmark.evidence/";
const MAJOR: &str = "1";

#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error(
        "the file ends at byte {byte}, inside the JSON text; it was cut short: gather it again, or take a complete copy"
    )]
    Truncated { byte: usize },
    #[error(
        "not JSON at line {line}, column {column}: {why}; an evidence file is written by `proofmark assess --evidence FILE`"
    )]
    NotJson { line: usize, column: usize, why: String },
    #[error(
        "not a Proofmark evidence file: field `schema` {found}, expected `{SCHEMA}`; such a file is written by `proofmark assess --evidence FILE`"
    )]
    Foreign { found: String },
    #[error(
        "evidence of format `{found}` can't be read by this build, which reads {FORMAT}{MAJOR}.x; use a Proofmark of the version that wrote it"
    )]
    OtherMajor { found: String },
    #[error("field `{field}`: {why}; the file was changed or is damaged: gather it again")]
    Field { field: String, why: String },
    #[error("evidence could not be written as JSON: {0}")]
    Write(String),
}

impl Evidence {
    /// Reads evidence of the same major version.
    pub fn from_slice(bytes: &[u8]) -> Result<Evidence, EvidenceError> {
        // A good file is read in one pass; only a bad one is worth the search for what is wrong.
        let whole = || serde_json::from_slice::<Evidence>(bytes).ok();
        if bytes.starts_with(b"{")
            && let Some(evidence) = pieces::read(bytes).or_else(whole)
            && check_version(Some(&Value::String(evidence.schema.clone()))).is_ok()
        {
            return Ok(evidence);
        }
        Evidence::from_slice_with_care(bytes)
    }

    fn from_slice_with_care(bytes: &[u8]) -> Result<Evidence, EvidenceError> {
        let head: Head = match serde_json::from_slice(bytes) {
            Ok(head) => head,
            Err(e) if e.is_eof() => return Err(EvidenceError::Truncated { byte: bytes.len() }),
            // A list could pass for a record by position; evidence is always an object.
            Err(e) if e.is_data() || bytes.trim_ascii_start().starts_with(b"[") => {
                return Err(EvidenceError::Foreign { found: "is missing".to_owned() });
            }
            Err(e) => {
                return Err(EvidenceError::NotJson {
                    line: e.line(),
                    column: e.column(),
                    why: bare(&e),
                });
            }
        };
        check_version(head.schema.as_ref())?;
        serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(bytes))
            .map_err(|e| EvidenceError::Field { field: e.path().to_string(), why: bare(e.inner()) })
    }

    /// The bytes of an evidence file, without compression.
    pub fn to_vec(&self) -> Result<Vec<u8>, EvidenceError> {
        let mut bytes =
            serde_json::to_vec(self).map_err(|e| EvidenceError::Write(e.to_string()))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// The JSON Schema of evidence files, as published in `docs/`.
pub fn json_schema() -> Value {
    schemars::schema_for!(Evidence).to_value()
}

#[derive(serde::Deserialize)]
struct Head {
    #[serde(default)]
    schema: Option<Value>,
}

fn check_version(schema: Option<&Value>) -> Result<(), EvidenceError> {
    let found = match schema {
        None => return Err(EvidenceError::Foreign { found: "is missing".to_owned() }),
        Some(Value::String(text)) => text,
        Some(other) => return Err(EvidenceError::Foreign { found: format!("is {other}") }),
    };
    let Some(version) = found.strip_prefix(FORMAT) else {
        return Err(EvidenceError::Foreign { found: format!("is `{found}`") });
    };
    if version.split('.').next() != Some(MAJOR) {
        return Err(EvidenceError::OtherMajor { found: found.clone() });
    }
    Ok(())
}

/// The message without serde_json's own position, which we give in our words.
fn bare(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(cut) => text[..cut].to_owned(),
        None => text,
    }
}
