//! Files that appear above the folder where a tool keeps its own.

use serde_json::Value;

use super::Proof;
use crate::arguments::places_of;
use crate::evidence::{Effect, Evidence, Exchange};

/// A file of this name lies above the folder of the ordinary one. What other arguments name of that
/// folder does not count: `course/file` may well lead to `file`.
pub(super) fn proof(
    evidence: &Evidence,
    exchange: &Exchange,
    name: &str,
    ordinary: &str,
) -> Option<Proof> {
    let (_, own) = find(evidence, ordinary)?;
    let (effect, folder) = find(evidence, name)?;
    let root = root(exchange, own);
    let above = root.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    above.then(|| Proof::SideEffect { effect: effect.clone() })
}

/// The file whose name begins so, and its folder.
fn find<'a>(evidence: &'a Evidence, name: &str) -> Option<(&'a Effect, &'a str)> {
    evidence.effects.iter().find_map(|effect| {
        let Effect::FileCreated { path } = effect else { return None };
        let (folder, file) = path.rsplit_once('/')?;
        let rest = file.strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with('.')).then_some((effect, folder))
    })
}

/// The folder up to the first part that an argument names.
fn root<'a>(exchange: &Exchange, folder: &'a str) -> &'a str {
    let arguments = exchange.arguments().cloned().unwrap_or_default();
    let texts = places_of(&arguments);
    let named = |part: &str| {
        let text = |at: &String| arguments.pointer(at).and_then(Value::as_str);
        texts.iter().filter_map(text).any(|text| text.split('/').any(|t| t == part))
    };
    let mut end = 0;
    for part in folder.split('/').skip(1) {
        if named(part) {
            break;
        }
        end += 1 + part.len();
    }
    &folder[..end]
}

#[cfg(test)]
mod tests {
    use crate::pages;
    use crate::proof::Oracle;

    fn is_above(created: &str, arguments: &str) -> bool {
        let snippet = format!(
            r#"{{"exchanges": [{{"probe": "path-traversal", "tool": "keep", "arguments": {arguments}, "reply": {{"text": "ok"}}}}],
                "effects": [{{"kind": "file_created", "path": "/proofmark/workspace/app/inbox/algebra/plain.txt"}},
                            {{"kind": "file_created", "path": "{created}"}}]}}"#
        );
        let evidence = pages::evidence(&snippet).unwrap();
        let oracle = Oracle::Above { name: "hostile".to_owned(), ordinary: "plain".to_owned() };
        let x = evidence.transcript.last().unwrap();
        oracle.proof(&evidence, x).is_some()
    }

    #[test]
    fn only_what_leaves_the_folder_of_the_tool_is_above_it() {
        let plain = r#"{"name": "../../hostile.txt"}"#;
        assert!(is_above("/proofmark/workspace/app/inbox/hostile.txt", plain));
        assert!(is_above("/proofmark/workspace/hostile.txt", plain));
        assert!(!is_above("/proofmark/workspace/app/inbox/algebra/hostile.txt", plain));
        assert!(!is_above("/proofmark/workspace/app/inbox/algebra/sub/hostile.txt", plain));
        assert!(!is_above("/proofmark/workspace/app/other/hostile.txt", plain));
        let course = r#"{"name": "../hostile.txt", "course": "algebra"}"#;
        assert!(!is_above("/proofmark/workspace/app/inbox/hostile.txt", course));
        assert!(is_above("/proofmark/workspace/app/hostile.txt", course));
    }
}
