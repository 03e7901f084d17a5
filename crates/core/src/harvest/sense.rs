//! The sense of a tool's name: what it does, and with what.

use crate::evidence::{Evidence, Tool};
use crate::probe::{Risk, words};

/// The place of a tool in the life of a thing. Ordered as calls should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Create,
    Read,
    Update,
    Delete,
}

const CREATING: &[&str] = &[
    "create",
    "new",
    "make",
    "add",
    "insert",
    "register",
    "init",
    "initialize",
    "import",
    "upload",
    "save",
    "store",
    "generate",
    "start",
    "connect",
    "launch",
    "login",
];

const FILLERS: &[&str] = &[
    "a",
    "an",
    "the",
    "all",
    "any",
    "by",
    "with",
    "to",
    "from",
    "of",
    "for",
    "in",
    "on",
    "and",
    "or",
    "info",
    "information",
    "detail",
    "multiple",
    "many",
    "single",
    "new",
    "current",
    "tool",
    "mcp",
    "write",
    "edit",
    "update",
    "append",
    "move",
    "copy",
    "rename",
    "set",
    "put",
    "post",
    "send",
    "patch",
    "modify",
    "replace",
    "commit",
    "checkout",
    "run",
    "execute",
    "call",
    "close",
    "toggle",
];

/// Verbs after which the thing named exists, though they do not say that it is new.
const LEAVING: &[&str] =
    &["write", "put", "set", "post", "send", "upsert", "rename", "move", "copy", "publish"];

impl Stage {
    pub fn of(tool: &Tool) -> Stage {
        if Risk::of_tool(tool) == Risk::Destroys {
            return Stage::Delete;
        }
        if words(&tool.name).iter().any(|w| CREATING.contains(&w.as_str())) {
            return Stage::Create;
        }
        match Risk::of_tool(tool) {
            Risk::Reads => Stage::Read,
            Risk::Writes => Stage::Update,
            Risk::Destroys => Stage::Delete,
        }
    }
}

/// What a tool does, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sense {
    pub stage: Stage,
    /// What it is given exists afterwards.
    pub leaves: bool,
    /// Singular; the last word says most.
    pub noun: Vec<String>,
}

impl Sense {
    /// Of something that is read and is no tool: a prompt, a template.
    pub fn reading(noun: &[String]) -> Sense {
        let noun = noun.iter().map(|w| singular(w)).collect();
        Sense { stage: Stage::Read, leaves: false, noun }
    }

    pub fn of(evidence: &Evidence, tool: &Tool) -> Sense {
        let own: Vec<String> = words(&tool.name).iter().map(|w| singular(w)).collect();
        let nouns = own.iter().filter(|w| !is_verb(w) && !FILLERS.contains(&w.as_str()));
        // A word that nearly every tool carries is the server's own name.
        let all = evidence.inventory.tools.len();
        let shared = |word: &str| {
            let with = evidence
                .inventory
                .tools
                .iter()
                .filter(|t| words(&t.name).iter().any(|w| singular(w) == word));
            all > 3 && with.count() * 5 >= all * 4
        };
        let noun: Vec<String> = nouns.filter(|w| !shared(w)).cloned().collect();
        let stage = Stage::of(tool);
        let leaves = stage == Stage::Create
            || (stage == Stage::Update && own.iter().any(|w| LEAVING.contains(&w.as_str())));
        Sense { stage, leaves, noun }
    }
}

fn is_verb(word: &str) -> bool {
    let probe = |risk: Risk| Risk::of_word(word) == Some(risk);
    CREATING.contains(&word) || probe(Risk::Reads) || probe(Risk::Destroys)
}

/// What sort of value a name asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Id,
    Name,
    Path,
    Uri,
    Cursor,
}

impl Kind {
    pub fn of_word(word: &str) -> Option<Kind> {
        Some(match word {
            "id" | "identifier" | "uuid" | "guid" | "key" | "sha" | "hash" | "slug" => Kind::Id,
            "name" | "title" | "label" | "username" => Kind::Name,
            "path" | "file" | "filename" | "filepath" => Kind::Path,
            "uri" | "url" | "link" | "href" => Kind::Uri,
            "cursor" => Kind::Cursor,
            _ => return None,
        })
    }

    /// The last word that tells.
    pub fn of(words: &[String]) -> Option<Kind> {
        words.iter().rev().find_map(|w| Kind::of_word(w))
    }
}

/// English singular, good enough to compare names.
pub fn singular(word: &str) -> String {
    const IRREGULAR: &[(&str, &str)] =
        &[("people", "person"), ("children", "child"), ("indices", "index"), ("men", "man")];
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == word) {
        return (*one).to_owned();
    }
    let keep = ["ss", "us", "is", "as"].iter().any(|end| word.ends_with(end)) || word.len() < 4;
    if keep && word != "ids" {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|s| s.len() > 1) {
        return format!("{stem}y");
    }
    // "classes" and "statuses", but "courses" and "houses".
    let hissing =
        ["sses", "tuses", "buses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end));
    let stem = if hissing { word.strip_suffix("es") } else { word.strip_suffix('s') };
    stem.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn sense(name: &str) -> Sense {
        let evidence = pages::evidence(&format!(
            r#"{{"tools": [{{"name": "{name}"}}, {{"name": "git_a"}}, {{"name": "git_b"}}, {{"name": "git_c"}}, {{"name": "git_d"}}]}}"#
        ))
        .unwrap();
        Sense::of(&evidence, &evidence.inventory.tools[0])
    }

    #[test]
    fn a_name_tells_what_is_done_with_what() {
        let told = |name: &str| {
            let s = sense(name);
            (s.stage, s.noun.join(" "))
        };
        assert_eq!(told("create_user"), (Stage::Create, "user".to_owned()));
        assert_eq!(told("listProjectTasks"), (Stage::Read, "project task".to_owned()));
        assert_eq!(told("delete_entities"), (Stage::Delete, "entity".to_owned()));
        assert_eq!(told("update_note"), (Stage::Update, "note".to_owned()));
        assert_eq!(told("git_branch"), (Stage::Update, "branch".to_owned()));
    }

    #[test]
    fn plurals_are_told_from_words_that_end_alike() {
        for (word, one) in [
            ("entities", "entity"),
            ("branches", "branch"),
            ("names", "name"),
            ("status", "status"),
            ("address", "address"),
            ("boxes", "box"),
            ("courses", "course"),
            ("classes", "class"),
            ("statuses", "status"),
            ("databases", "database"),
            ("ids", "id"),
            ("bus", "bus"),
            ("notes", "note"),
            ("people", "person"),
            ("children", "child"),
            ("indices", "index"),
            ("men", "man"),
        ] {
            assert_eq!(singular(word), one);
        }
    }
}
