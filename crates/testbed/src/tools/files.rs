//! Reading files: once anywhere, once only below the working directory.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::tool::{Answer, Answering, Tool, object};

const LARGEST_FILE: u64 = 1 << 20;

/// The names in the working directory, so that a caller knows what there is to read.
pub(crate) fn list_files() -> Tool {
    Tool::new(
        "list_files",
        "Lists the names of the files in the workspace, sorted.",
        object(json!({}), &[]),
        |_, _, _| {
            let mut names: Vec<String> = std::fs::read_dir(".")
                .into_iter()
                .flatten()
                .flatten()
                .filter(|entry| entry.path().is_file())
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            names.truncate(200);
            Answer::Data(json!({ "files": names }))
        },
    )
    .returning(object(
        json!({ "files": { "type": "array", "items": { "type": "string" } } }),
        &["files"],
    ))
    .reads()
}

/// The hole: `..` and absolute paths lead out.
pub(crate) fn read_document() -> Tool {
    tool("read_document", "Reads a document of the workspace and returns its text.", |_, a, _| {
        read(Some(PathBuf::from(a["path"].as_str().unwrap_or_default())))
    })
}

/// The look-alike: the path is resolved, symbolic links included, and must stay inside.
pub(crate) fn read_page() -> Tool {
    tool("read_page", "Reads a page of the workspace and returns its text.", |_, a, _| {
        let path = a["path"].as_str().unwrap_or_default();
        let inside = Path::new(".").canonicalize().and_then(|root| {
            let path = root.join(path).canonicalize()?;
            Ok(path.starts_with(&root).then_some(path))
        });
        read(inside.ok().flatten())
    })
}

fn tool(name: &str, description: &str, run: Answering) -> Tool {
    let path = json!({
        "type": "string", "minLength": 1, "maxLength": 1000,
        "description": "The path of the file, relative to the workspace; list_files names them.",
    });
    Tool::new(name, description, object(json!({ "path": path }), &["path"]), run)
        .returning(object(json!({ "text": { "type": "string" } }), &["text"]))
        .reads()
}

fn read(path: Option<PathBuf>) -> Answer {
    let small =
        |path: &PathBuf| path.metadata().is_ok_and(|m| m.is_file() && m.len() <= LARGEST_FILE);
    let text = path.filter(small).and_then(|path| std::fs::read(path).ok());
    match text {
        Some(text) => Answer::Data(json!({ "text": String::from_utf8_lossy(&text) })),
        None => Answer::Failure(
            "there is no such file in the workspace; call list_files for the names".to_owned(),
        ),
    }
}
