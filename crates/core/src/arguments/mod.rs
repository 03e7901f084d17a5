//! Sample arguments from JSON Schema.
use crate::seed::Seed;
use serde_json::Value;
#[derive(Debug, Default, Clone)]
pub struct Context;
#[derive(Debug, Clone, Copy)]
pub enum Fill {
    Minimal,
    Typical,
    Full,
}
pub fn sample(_s: &Value, _c: &Context, _seed: Seed, _f: Fill) -> Option<Value> {
    None
}
