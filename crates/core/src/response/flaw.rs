//! What is wrong with the shape of a tool result: by the revision, and by the tool's own promise.

use serde_json::Value;

use super::{Layer, block_flaw, quote};
use crate::arguments::violates;
use crate::evidence::Tool;
use crate::revision::Revision;

/// One flaw of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    pub layer: Layer,
    pub says: String,
    pub fix: &'static str,
}

impl Flaw {
    fn new(layer: Layer, says: impl Into<String>, fix: &'static str) -> Flaw {
        Flaw { layer, says: says.into(), fix }
    }

    /// The first flaw of a result, the worst kind first.
    pub fn of(result: &Value, tool: &Tool, revision: Revision) -> Option<Flaw> {
        structure(result, revision)
            .or_else(|| promise(result, tool, revision))
            .or_else(|| emptiness(result))
    }
}

const STRUCTURED: &str =
    "return `structuredContent` that fits `outputSchema`, or correct the schema";

fn structure(result: &Value, revision: Revision) -> Option<Flaw> {
    let flaw = |says: String, fix| Some(Flaw::new(Layer::Structure, says, fix));
    let Some(blocks) = result.get("content").and_then(Value::as_array) else {
        return flaw(
            "`content` is not an array".to_owned(),
            "send `content` as an array of blocks",
        );
    };
    if result.get("isError").is_some_and(|v| !v.is_boolean()) {
        return flaw("`isError` is not a boolean".to_owned(), "send `isError` as true or false");
    }
    let block =
        (0..).zip(blocks).find_map(|(i, b): (usize, _)| Some((i, block_flaw(b, revision)?)));
    if let Some((i, why)) = block {
        let fix = "send blocks of a type this revision knows, with its fields";
        return flaw(format!("content block {i}: {why}"), fix);
    }
    let structured = result.get("structuredContent");
    let bare = structured.is_some_and(|s| !s.is_object());
    let objects_only = revision >= Revision::V2025_06_18 && !revision.is_stateless();
    if bare && objects_only {
        return flaw("`structuredContent` is not an object".to_owned(), STRUCTURED);
    }
    None
}

/// What the tool's `outputSchema` promises and an error need not keep.
fn promise(result: &Value, tool: &Tool, revision: Revision) -> Option<Flaw> {
    let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
    if failed || revision < Revision::V2025_06_18 {
        return None;
    }
    let schema = tool.output_schema.as_ref()?;
    let says = match result.get("structuredContent") {
        None => "it declares `outputSchema` and sends no `structuredContent`".to_owned(),
        Some(value) => {
            let (at, why) = violates(schema, value)?;
            let at = if at.is_empty() { "the root".to_owned() } else { at };
            format!("`structuredContent` breaks `outputSchema` at {at}: {}", quote(&why))
        }
    };
    Some(Flaw::new(Layer::ToolSpecific, says, STRUCTURED))
}

fn emptiness(result: &Value) -> Option<Flaw> {
    let blocks = result.get("content").and_then(Value::as_array)?;
    let fix = "say something, at least that nothing was found or that it is done";
    let bare = blocks.is_empty() && result.get("structuredContent").is_none();
    bare.then(|| Flaw::new(Layer::Content, "the result is empty", fix))
}
