//! Repositories: the planted one has the branches `main` and `warmer`.

use super::{Asked, Context, Hint, Meaning, Row, Texts::Fixed, Texts::Made};
use crate::probe::words;
use crate::seed::Seed;

pub(super) const ROWS: &[Row] = &[
    Row::of(Meaning::Repository, "", "git repository", Made(repository)),
    Row::of(
        Meaning::CommitMessage,
        "commit message",
        "commit message",
        Fixed(&["Describe the sample", "Correct a word"]),
    ),
    Row::of(
        Meaning::Revision,
        "commit id|commit sha|commit hash|revision|commit|commitish|ref|sha|treeish|rev",
        "commit|git ref",
        Fixed(&["HEAD", "main", "warmer"]),
    ),
    Row::of(Meaning::Branch, "branch|branches", "git branch|branch name", Made(branch)),
    Row::of(Meaning::Remote, "git remote|remote name", "git remote", Fixed(&["origin"])),
    Row::of(Meaning::GitTag, "tag name", "git tag", Fixed(&["v1.0.0", "v1.1.0"])),
];

/// In tools of git, words that elsewhere mean anything name revisions.
pub(super) fn of(asked: &Asked<'_>) -> Option<Meaning> {
    let repository = asked.named(&["repo", "repository"]);
    if repository && (asked.named(&["path", "dir", "directory"]) || asked.says("path")) {
        return Some(Meaning::Repository);
    }
    if !asked.tool_has(&["git"]) {
        return None;
    }
    match asked.name.as_slice() {
        [only] if matches!(only.as_str(), "target" | "base" | "object" | "source") => {
            Some(Meaning::Revision)
        }
        [only] if only == "message" => Some(Meaning::CommitMessage),
        [only] if only == "remote" => Some(Meaning::Remote),
        _ => None,
    }
}

fn repository(_: Hint<'_>, context: &Context, _: Seed) -> String {
    context.repository.clone()
}

fn branch(hint: Hint<'_>, context: &Context, seed: Seed) -> String {
    let new = |w: &String| matches!(w.as_str(), "create" | "new" | "add");
    let from = |w: &String| matches!(w.as_str(), "base" | "source" | "from" | "target");
    if words(&context.tool).iter().any(new) && !words(hint.name).iter().any(from) {
        return format!("sample-{}", seed.word(hint.name, 6));
    }
    ["main", "warmer"][hint.index % 2].to_owned()
}
