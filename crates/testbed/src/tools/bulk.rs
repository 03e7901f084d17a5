//! A tool whose answer is larger than a client should have to take.

use serde_json::json;

use crate::tool::{Answer, Tool, object};

const SIZE: usize = 40 << 20;

pub(crate) fn get_archive() -> Tool {
    Tool::new(
        "get_archive",
        "Returns the whole archive of the notebook as one text.",
        object(json!({}), &[]),
        |_, _, _| Answer::Text("heron ".repeat(SIZE / 6)),
    )
    .titled("Get the archive")
    .reads()
}
