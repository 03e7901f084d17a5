//! What is read from Markdown, ordinary and hostile.

use proptest::prelude::*;

use super::*;

#[test]
fn structure_is_read_and_code_is_not_prose() {
    let readme = Readme::parse(
        "# My **Server**\n\nText with `read_file`.\n\n```json title=x\n{}\n```\n\n| Tool | Does |\n|---|---|\n| list_all | lists |\n",
    );
    assert_eq!(readme.headings, ["my server"]);
    assert_eq!(readme.code.len(), 1);
    assert_eq!((readme.code[0].language.as_str(), readme.code[0].text.as_str()), ("json", "{}\n"));
    assert!(readme.names("read_file") && readme.names("list_all"));
    assert!(!readme.prose.contains("{}") && readme.text.contains("{}"));
}

#[test]
fn a_plain_word_in_prose_names_no_tool() {
    let readme = Readme::parse("You can add two numbers. See read_file for more.\n");
    assert!(!readme.names("add"));
    assert!(readme.names("read_file"));
    assert!(!readme.names("read"));
    assert!(Readme::parse("- **add**: adds\n").names("add"));
    assert!(!Readme::parse("`address`\n").names("add"));
}

#[test]
fn an_item_holds_what_stands_in_and_under_it() {
    let readme = Readme::parse(
        "## Tools\n\n1. `read_file`\n   - `path` (string): where\n2. **write_file**(path)\n\n### move_file\n\nTakes `source`.\n\n## Licence\n\nMIT\n",
    );
    let text = |name: &str| readme.about(name).map(|i| readme.text_of(i)).collect::<String>();
    assert!(text("read_file").contains("path") && !text("read_file").contains("write_file"));
    assert!(text("write_file").contains("write_file"));
    assert!(text("move_file").contains("source") && !text("move_file").contains("MIT"));
    assert!(text("Tools").contains("move_file") && !text("Tools").contains("MIT"));
}

#[test]
fn a_stranger_is_told_by_its_company() {
    let readme = Readme::parse(
        "- `a_one`\n- `a_two`\n- `a_gone`\n\nOptions:\n\n- `--flag`\n- `a_one`\n- `other`\n",
    );
    let known = |name: &str| ["a_one", "a_two"].contains(&name);
    let strangers = readme.strangers(None, &known, &|_| Company::Told);
    let strangers: Vec<&str> = strangers.iter().map(|i| i.head.as_str()).collect();
    assert_eq!(strangers, ["a_gone"]);
}

#[test]
fn anchors_are_those_of_github_and_of_html() {
    let readme = Readme::parse(
        "# Über `x_y`!\n\n# Twice\n\n# Twice\n\n<a id=\"Here\"></a>\n\n[a](#über-x_y) [b](#twice-1) [c](#here) [d](#gone) [e](docs/a%20b.md#x) [f](https://x.org/y) [g](mailto:a@b)\n",
    );
    assert_eq!(readme.dead_anchors(), ["gone"]);
    assert_eq!(readme.relative_links().into_iter().collect::<Vec<_>>(), ["docs/a b.md"]);
}

#[test]
fn html_headings_and_links_count() {
    let readme = Readme::parse("<h2 align=\"center\">Install it</h2>\n\n<img src=\"logo.png\">\n");
    assert!(readme.has_heading(&["install"]));
    assert!(readme.relative_links().contains("logo.png"));
}

#[test]
fn a_line_of_a_megabyte_is_read() {
    for piece in ["a ", "[", "`", "* ", "<a ", "|", "> ", "# ", "![](", "- "] {
        let line = piece.repeat((1 << 20) / piece.len() / if piece.len() > 2 { 8 } else { 1 });
        let readme = Readme::parse(&line);
        assert!(readme.text.len() <= 2 * line.len() + 8, "{piece}: {}", readme.text.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_makes_the_reader_fail(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn no_pile_of_markup_makes_the_reader_fail(
        pieces in proptest::collection::vec(prop_oneof![
            Just("# "), Just("- "), Just("  - "), Just("`a`"), Just("**b**"), Just("\n"), Just("\n\n"),
            Just("```json\n"), Just("| a | b |\n|---|---|\n"), Just("| c |\n"), Just("<h1>"), Just("</h1>"),
            Just("[x](#y)"), Just("[z](a/b.md)"), Just("é"), Just("{\"a\":"), Just("1}"), Just("<a id='q'>"),
        ], 0..200)
    ) {
        check(&pieces.concat());
    }

    #[test]
    fn bytes_cut_anywhere_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..4096)) {
        check(&String::from_utf8_lossy(&bytes));
    }
}

/// Every question that a check asks is answered.
fn check(text: &str) {
    let readme = Readme::parse(text);
    for item in &readme.items {
        assert!(item.span.end <= readme.text.len());
        assert!(readme.text.get(item.span.clone()).is_some(), "{item:?}");
    }
    let _ = (
        readme.strangers(None, &|n| n.len() > 3, &|_| Company::Certain).len(),
        readme.dead_anchors().len(),
    );
    let _ = (readme.relative_links(), readme.json().count(), readme.names("a"));
}
