//! Runs every case of every page, and compares the folders of checks with the catalogue.
#![expect(clippy::disallowed_methods, reason = "the test compares the source tree with the lists")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proofmark_core::check::{Check, Class, Facet, Topic};
use proofmark_core::checks;
use proofmark_core::pages::{Page, PageError, Verdict};

fn page(check: &Check) -> Page {
    check.page().unwrap_or_else(|e| panic!("page of {}: {e}", check.id))
}

fn folder(topic: Topic) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/checks").join(topic.as_str())
}

/// The stems of the files with this extension in a topic's folder, `mod` aside.
fn stems(topic: Topic, extension: &str) -> BTreeSet<String> {
    std::fs::read_dir(folder(topic))
        .unwrap_or_else(|e| panic!("folder of topic {topic}: {e}"))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|stem| stem != "mod")
        .collect()
}

#[test]
fn every_case_of_every_page_comes_out_as_written() {
    let mut wrong = Vec::new();
    for check in checks::all() {
        for case in page(check).cases {
            if let Err(why) = case.run(check) {
                wrong.push(format!("page of {}, {why}", check.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn every_page_shows_a_pass_a_failure_and_something_unseen() {
    for check in checks::all() {
        let page = page(check);
        let shows = |wanted: fn(&Verdict) -> bool| {
            page.cases.iter().flat_map(|c| &c.expected).any(|e| wanted(&e.verdict))
        };
        assert!(shows(|v| matches!(v, Verdict::Pass)), "page of {} has no pass", check.id);
        assert!(
            shows(|v| matches!(v, Verdict::Fail | Verdict::Partial(_))),
            "page of {} has no fail",
            check.id
        );
        assert!(shows(|v| matches!(v, Verdict::Unseen)), "page of {} has no unseen", check.id);
    }
}

#[test]
fn folders_pages_and_lists_agree() {
    for topic in Topic::ALL.iter().copied() {
        let listed: BTreeSet<String> = checks::all()
            .iter()
            .filter(|c| c.topic() == topic)
            .map(|c| c.id.split_once('/').map_or(c.id, |(_, smell)| smell).replace('-', "_"))
            .collect();
        assert_eq!(listed, stems(topic, "rs"), "listed in {topic}/mod.rs | files in {topic}/");
        assert_eq!(listed, stems(topic, "md"), "listed in {topic}/mod.rs | pages in {topic}/");
    }
}

#[test]
fn a_check_embeds_the_page_beside_it() {
    for check in checks::all() {
        let (_, smell) = check.id.split_once('/').expect(check.id);
        let path = folder(check.topic()).join(format!("{}.md", smell.replace('-', "_")));
        let beside = std::fs::read_to_string(&path).unwrap();
        assert!(beside == check.page, "{} embeds another page than {}", check.id, path.display());
        assert_eq!(page(check).title, check.title, "title of {} and of its page", check.id);
    }
}

#[test]
fn ids_and_titles_are_unique_and_ids_name_their_topic() {
    let (mut ids, mut titles) = (BTreeSet::new(), BTreeSet::new());
    for check in checks::all() {
        let (topic, smell) = check.id.split_once('/').expect(check.id);
        assert!(Topic::parse(topic).is_some(), "{}: no topic `{topic}`", check.id);
        assert!(
            smell.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{}: a smell is lower case with hyphens",
            check.id
        );
        assert!(ids.insert(check.id), "two checks are called {}", check.id);
        assert!(titles.insert(check.title), "two checks have the title `{}`", check.title);
        assert!(!check.title.ends_with('.'), "{}: a title has no full stop", check.id);
    }
}

#[test]
fn only_checks_of_holes_have_a_class_and_they_are_never_mere_information() {
    for check in checks::all() {
        let about_holes = matches!(
            check.facet,
            Facet::Injection | Facet::ErrorDisclosure | Facet::Authentication | Facet::ModelSafety
        );
        match check.class {
            Some(_) => assert!(
                check.severity >= proofmark_core::check::Severity::Low,
                "{}: a hole is at least of low severity",
                check.id
            ),
            None => assert!(
                !about_holes || check.topic() != Topic::Security,
                "{}: a security check about {} needs a class, one of {:?}",
                check.id,
                check.facet,
                Class::ALL
            ),
        }
    }
}

#[test]
fn every_failing_case_comes_with_a_fix() {
    for check in checks::all() {
        for case in page(check).cases {
            let evidence = case.evidence().unwrap_or_else(|e| panic!("{}: {e}", check.id));
            let judged = proofmark_core::check::judge(&evidence, &[check]);
            for finding in judged.iter().flat_map(|j| &j.findings) {
                let failed = finding.grade.is_some_and(|g| !g.is_pass());
                assert!(
                    !failed || finding.fix.is_some(),
                    "{}, case `{}`: failing without a fix: {}",
                    check.id,
                    case.name,
                    finding.says
                );
                assert!(!finding.says.contains('\n'), "{}: says has two lines", check.id);
            }
        }
    }
}

const HEAD: &str = "# T\n\n## Why it matters\n\nw\n\n## How to fix\n\nf\n\n";

#[test]
fn an_unknown_key_in_a_snippet_names_case_line_and_key() {
    let text = format!(
        "{HEAD}## Cases\n\n### A typo\n\n```json\n{{\"tolls\": []}}\n```\n\n```text\nnone\n```\n"
    );
    let page = Page::parse(&text).unwrap();
    let error = page.cases[0].evidence().unwrap_err().to_string();
    assert!(error.contains("line 13") && error.contains("`A typo`"), "{error}");
    assert!(error.contains("unknown field `tolls`"), "{error}");
}

#[test]
fn a_page_without_its_sections_is_refused() {
    assert_eq!(Page::parse("text"), Err(PageError::NoTitle));
    assert_eq!(Page::parse("# T\n"), Err(PageError::NoSection("Why it matters")));
    assert_eq!(Page::parse(HEAD), Err(PageError::NoSection("Cases")));
    let text = format!("{HEAD}## Cases\n\n### Half\n\n```json\n{{}}\n```\n");
    assert!(matches!(Page::parse(&text), Err(PageError::Blocks { kind: "text", found: 0, .. })));
}
