//! What the name of a tool promises: an answer with something in it, or a deed.

use memchr::memmem;

use crate::evidence::Tool;
use crate::probe::words;

/// What a caller may expect from a successful call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// Hits for words, possibly none: `search_notes`.
    Hits,
    /// Several things, possibly none: `list_notes`.
    List,
    /// A thing, or something worked out from the input: `get_weather`, `convert_length`.
    Data,
    /// Something is kept: `write_file`, `create_entities`.
    Keeps,
    /// Something goes away: `delete_note`.
    Removes,
    /// Anything else, or nobody knows.
    Deed,
}

const HITS: &str = "search find grep lookup match";
const LIST: &str = "list ls browse enumerate";
const DATA: &str = "
    analyze analyse calculate compute convert count describe estimate explain extract fetch
    forecast get inspect load measure parse query read recall retrieve show summarize translate
    view open";
const KEEPS: &str = "add create insert keep new put register remember save set store upload write";
const REMOVES: &str = "delete erase forget remove rm";
/// With one of these in the name, the deed is what matters.
const DEEDS: &str = "
    append apply call checkout click commit copy edit exec execute fill install invoke merge
    move patch post publish pull push rename replace reset run select send start stop subscribe
    submit toggle trigger update wait";

impl Promise {
    /// The first telling verb decides: `get_or_create_user` gets, `create_search_index` keeps.
    pub fn of(tool: &Tool) -> Promise {
        let words = words(&tool.name);
        if holds(&words, DEEDS) {
            return Promise::Deed;
        }
        let table = [
            (REMOVES, Promise::Removes),
            (HITS, Promise::Hits),
            (LIST, Promise::List),
            (DATA, Promise::Data),
            (KEEPS, Promise::Keeps),
        ];
        let told = words.iter().find_map(|word| {
            table.iter().find(|(verbs, _)| is_in(word, verbs)).map(|(_, promise)| *promise)
        });
        told.unwrap_or(Promise::Deed)
    }

    /// Whether the answer itself is what the caller wants.
    pub fn is_answer(self) -> bool {
        match self {
            Promise::Hits | Promise::List | Promise::Data => true,
            Promise::Keeps | Promise::Removes | Promise::Deed => false,
        }
    }
}

/// The things a tool is about: the words of its name without verbs and filler, in the singular.
pub fn things(tool: &Tool) -> Vec<String> {
    const FILLER: &str = "a all an by for from in mcp of or the to tool";
    let verbs = [HITS, LIST, DATA, KEEPS, REMOVES, DEEDS, FILLER];
    let is_thing = |word: &String| !verbs.iter().any(|list| is_in(word, list));
    words(&tool.name).into_iter().filter(is_thing).map(singular).collect()
}

fn singular(word: String) -> String {
    match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None if word.ends_with("ss") => word,
        None => word.strip_suffix('s').map_or(word.clone(), str::to_owned),
    }
}

/// Whether name or description of a tool holds one of these words.
pub fn mentions(tool: &Tool, list: &str) -> bool {
    let about = tool.description.as_deref().unwrap_or_default();
    names(tool, list) || holds(&words(about), list)
}

/// Whether the name of a tool holds one of these words.
pub fn names(tool: &Tool, list: &str) -> bool {
    holds(&words(&tool.name), list)
}

/// Whether one of the words stands in the list, itself words with space between them.
pub fn holds(words: &[String], list: &str) -> bool {
    words.iter().any(|word| is_in(word, list))
}

/// Asked for most words of a run: a search is many times faster than taking the list apart.
pub fn is_in(word: &str, list: &str) -> bool {
    let list = list.as_bytes();
    let is_edge =
        |at: Option<usize>| at.and_then(|at| list.get(at)).is_none_or(u8::is_ascii_whitespace);
    let stands = |at: usize| is_edge(at.checked_sub(1)) && is_edge(Some(at + word.len()));
    !word.is_empty()
        && !word.contains(char::is_whitespace)
        && memmem::find_iter(list, word).any(stands)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str) -> Tool {
        let raw = json!({"name": name, "inputSchema": {"type": "object"}});
        Tool::from_raw(&raw).unwrap_or_else(|why| unreachable!("{why}"))
    }

    #[test]
    fn the_first_telling_verb_of_a_name_is_its_promise() {
        let cases = [
            ("get_weather", Promise::Data),
            ("search_nodes", Promise::Hits),
            ("listNotes", Promise::List),
            ("write_file", Promise::Keeps),
            ("create_search_index", Promise::Keeps),
            ("delete_entities", Promise::Removes),
            ("find_and_replace", Promise::Deed),
            ("run_query", Promise::Deed),
            ("frobnicate", Promise::Deed),
        ];
        for (name, promise) in cases {
            assert_eq!(Promise::of(&tool(name)), promise, "{name}");
        }
    }

    #[test]
    fn only_whole_words_stand_in_a_list() {
        let list = "\n    read reader\n    all";
        assert!(["read", "reader", "all"].iter().all(|word| is_in(word, list)));
        assert!(!["rea", "ead", "al", "", "read reader", "reade"].iter().any(|w| is_in(w, list)));
    }

    #[test]
    fn tools_about_the_same_thing_share_a_word() {
        assert_eq!(things(&tool("write_file")), ["file"]);
        assert_eq!(things(&tool("read_text_files")), ["text", "file"]);
        assert_eq!(things(&tool("create_entities")), ["entity"]);
        assert_eq!(things(&tool("get_address")), ["address"]);
    }
}
