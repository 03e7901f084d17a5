//! Check lists over small projects.

use super::*;
use crate::pages;
use crate::rubric::Rubric;

fn papers(files: &[(&str, &str)]) -> Papers {
    Papers {
        given: true,
        texts: files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect(),
        names: files.iter().map(|(n, _)| (*n).to_owned()).collect(),
    }
}

fn list(directory: Directory, snippet: &str, papers: &Papers) -> Preflight {
    let evidence = pages::evidence(snippet).unwrap();
    let report = Report::of(&evidence, &Rubric::builtin("directory").unwrap());
    Preflight::of(directory, &evidence, &report, papers)
}

fn answer(list: &Preflight, title: &str) -> (Answer, String) {
    let item = list.items.iter().find(|i| i.title.contains(title)).unwrap();
    (item.verdict, item.says.clone())
}

const GOOD: &str = r#"{"tools": [{"name": "search", "title": "Search", "description": "Searches notes.",
    "annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}],
    "exchanges": [{"probe": "valid-call", "tool": "search", "reply": {"text": "found"}}]}"#;
const BARE: &str = r#"{"tools": [{"name": "a tool"}]}"#;
const SERVER: &str = r#"{"$schema": "https://static.modelcontextprotocol.io/schemas/x.json",
    "name": "io.github.me/notes", "description": "Notes.", "version": "1.0.0",
    "packages": [{"registryType": "npm", "version": "1.0.0"}]}"#;

#[test]
fn annotations_and_titles_are_wanted_by_both_directories() {
    for directory in [Directory::Anthropic, Directory::Openai] {
        let good = list(directory, GOOD, &Papers::default());
        assert!(good.holds(), "{good:#?}");
        let bare = list(directory, BARE, &Papers::default());
        for title in ["has a title", "Names of tools", "says what it does"] {
            assert_eq!(answer(&bare, title).0, Answer::Fail, "{title}");
        }
    }
    let anthropic = list(Directory::Anthropic, BARE, &Papers::default());
    assert_eq!(answer(&anthropic, "marked as reading").0, Answer::Fail);
    let openai = list(Directory::Openai, BARE, &Papers::default());
    assert!(answer(&openai, "reaches out").1.contains("lacks readOnlyHint"));
}

#[test]
fn what_nobody_can_see_is_asked_and_never_passed() {
    for directory in Directory::ALL {
        let list = list(directory, GOOD, &Papers::default());
        assert!(list.count(Answer::Ask) >= 1, "{directory:?}");
        let down =
            pages::evidence(r#"{"down": {"cause": "silent_hang", "says": "nothing"}}"#).unwrap();
        let report = Report::of(&down, &Rubric::builtin("directory").unwrap());
        let away = Preflight::of(directory, &down, &report, &Papers::default());
        assert!(!away.holds(), "{directory:?}");
        assert_eq!(away.count(Answer::Pass), 0, "{away:#?}");
    }
}

#[test]
fn an_answer_of_more_than_25k_tokens_fails() {
    let of = |tokens: u32| {
        let mut evidence = pages::evidence(GOOD).unwrap();
        let answered = evidence.of("valid-call").next().unwrap().id;
        evidence.answer_tokens.insert(answered, tokens);
        let report = Report::of(&evidence, &Rubric::builtin("directory").unwrap());
        let list = Preflight::of(Directory::Anthropic, &evidence, &report, &Papers::default());
        answer(&list, "25,000")
    };
    let (verdict, says) = of(25_001);
    assert_eq!(verdict, Answer::Fail);
    assert!(says.starts_with("search answered with 25001 tokens"), "{says}");
    assert_eq!(of(25_000).0, Answer::Pass);
    let quiet = list(Directory::Anthropic, BARE, &Papers::default());
    assert_eq!(answer(&quiet, "25,000").0, Answer::Ask);
}

#[test]
fn a_registry_entry_is_checked_field_by_field() {
    let package = ("package.json", r#"{"mcpName": "io.github.me/notes"}"#);
    let good = list(Directory::Registry, GOOD, &papers(&[("server.json", SERVER), package]));
    for title in
        ["schema", "reversed domain", "100 characters", "to be had", "exact", "names the entry"]
    {
        assert_eq!(answer(&good, title).0, Answer::Pass, "{title}: {good:#?}");
    }
    let wrong = SERVER
        .replace("io.github.me/notes", "notes")
        .replace("Notes.", &"x".repeat(101))
        .replace("\"version\": \"1.0.0\"}", "\"version\": \"^1.0\"}");
    let bad = list(Directory::Registry, GOOD, &papers(&[("server.json", &wrong), package]));
    for title in ["reversed domain", "100 characters", "exact", "names the entry"] {
        assert_eq!(answer(&bad, title).0, Answer::Fail, "{title}");
    }
    let none = list(Directory::Registry, GOOD, &papers(&[]));
    assert!(answer(&none, "server.json is there").1.contains("there is no server.json"));
    let unknown = list(Directory::Registry, GOOD, &Papers::default());
    assert_eq!(answer(&unknown, "server.json is there").0, Answer::Ask);
}

#[test]
fn a_bundle_is_held_against_the_server_in_it() {
    let manifest = r#"{"manifest_version": "0.4", "name": "notes", "version": "9.9.9",
        "description": "Notes.", "author": {"name": "me"}, "icon": "icon.png",
        "server": {"type": "node", "entry_point": "index.js", "mcp_config": {"command": "node"}},
        "tools": [{"name": "find"}], "privacy_policies": ["http://x"]}"#;
    let all = papers(&[("manifest.json", manifest), ("index.js", ""), ("icon.png", "")]);
    let checked = list(Directory::Mcpb, GOOD, &all);
    for (title, verdict) in [
        ("required fields", Answer::Pass),
        ("What it starts", Answer::Pass),
        ("an icon", Answer::Pass),
        ("The tools it declares", Answer::Fail),
        ("privacy policies", Answer::Fail),
    ] {
        assert_eq!(answer(&checked, title).0, verdict, "{title}: {checked:#?}");
    }
    let empty = list(Directory::Mcpb, GOOD, &papers(&[("manifest.json", "{}")]));
    assert!(answer(&empty, "required fields").1.contains("`author.name` is missing"));
}

#[test]
fn docker_wants_a_dockerfile_and_no_copyleft() {
    let with = |licence: &str| {
        let snippet = GOOD.replacen(
            '{',
            &format!(r#"{{"source": {{"origin": "x", "package": {{"ecosystem": "npm", "licence": "{licence}"}}}}, "#),
            1,
        );
        list(Directory::Docker, &snippet, &papers(&[("Dockerfile", "")]))
    };
    assert_eq!(answer(&with("MIT"), "licence").0, Answer::Pass);
    assert_eq!(answer(&with("GPL-3.0"), "licence").0, Answer::Fail);
    assert_eq!(answer(&with("MIT"), "Dockerfile").0, Answer::Pass);
    let none = list(Directory::Docker, GOOD, &papers(&[]));
    assert_eq!(answer(&none, "Dockerfile").0, Answer::Fail);
}
