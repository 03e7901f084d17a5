//! The commands that need no server.
#![expect(
    clippy::unwrap_used,
    reason = "tests may panic; clippy only knows their #[test] functions"
)]

use assert_cmd::Command;

fn stdout(args: &[&str]) -> String {
    let output = Command::cargo_bin("proofmark").unwrap().args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_version_names_the_build() {
    let long = stdout(&["--version"]);
    assert!(long.starts_with(concat!("proofmark ", env!("CARGO_PKG_VERSION"), "\n")), "{long}");
    for part in ["commit", "target", "profile", "rustc"] {
        assert!(long.contains(&format!("\n{part} ")), "{long}");
    }
    assert_eq!(stdout(&["-V"]).lines().count(), 1);
}

#[test]
fn every_check_has_its_row_and_its_page() {
    let rows: serde_json::Value =
        serde_json::from_str(&stdout(&["checks", "--format", "json"])).unwrap();
    let rows = rows.as_array().unwrap();
    let table = stdout(&["checks"]);
    assert_eq!(table.lines().count(), rows.len());
    for row in rows {
        let id = row["id"].as_str().unwrap();
        let title = row["title"].as_str().unwrap();
        assert!(table.contains(id) && table.contains(title), "{id}");
        let page = stdout(&["explain", id]);
        assert!(page.starts_with(id), "{page}");
        let squeezed = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed.contains("Why it matters") && squeezed.contains("How to fix"), "{page}");
        assert!(!page.contains("Cases"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}

#[test]
fn a_topic_narrows_the_list_down() {
    let table = stdout(&["checks", "--topic", "errors"]);
    assert!(!table.is_empty());
    assert!(table.lines().all(|line| line.starts_with("errors/")), "{table}");
}

#[test]
fn a_page_can_be_printed_with_the_cases_that_test_it() {
    let page = stdout(&["explain", "errors/unknown-tool", "--cases"]);
    assert!(page.contains("Cases"), "{page}");
}

#[test]
fn colour_is_used_only_when_asked_for_in_a_pipe() {
    assert!(!stdout(&["explain", "errors/unknown-tool"]).contains('\x1b'));
    assert!(stdout(&["explain", "errors/unknown-tool", "--color", "always"]).contains("\x1b[1m"));
}

#[test]
fn completions_name_the_commands_and_flags() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains("assess") && script.contains("disposable"), "{shell}");
    }
}

#[test]
fn help_is_grouped_and_ends_with_examples() {
    let help = stdout(&["assess", "--help"]);
    for heading in ["Safety:", "Selection:", "Budget:", "Protocol:", "Judging:", "Output:"] {
        assert!(help.contains(heading), "{heading}");
    }
    assert!(help.contains("Examples:") && help.contains("Exit codes: 0 passed"), "{help}");
}
