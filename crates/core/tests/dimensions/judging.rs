//! Verdicts on single cases.

use proofmark_core::dimensions::{Category, Outcome, Reason, Standing, judge};
use serde_json::json;

use crate::suite::{case, error, result};

#[test]
fn the_category_is_told_by_words_flags_and_arguments() {
    let mut plain = case("read", "Reads a page", json!({}), result("text"));
    assert_eq!(Category::of(&plain), Category::Functional);
    plain.functional = Some(false);
    assert_eq!(Category::of(&plain), Category::ErrorHandling);
    let edge = case("read", "", json!({}), result("text"));
    let named = |name: &str| {
        Category::of(&proofmark_core::dimensions::Case { name: name.to_owned(), ..edge.clone() })
    };
    assert_eq!(named("Page of maximum length"), Category::Boundary);
    assert_eq!(named("路径为空时的错误处理"), Category::ErrorHandling);
    assert_eq!(named("SQL injection in the title"), Category::Security);
    let flagged = proofmark_core::dimensions::Case { functional: Some(true), ..edge.clone() };
    assert_eq!(Category::of(&flagged), Category::Functional);
}

#[test]
fn a_failure_is_seen_in_either_channel() {
    let outcome = |said| Outcome::of(&case("read", "Reads", json!({}), said));
    assert_eq!(outcome(result("{\"title\": \"a\"}")), Outcome::Answered);
    assert_eq!(outcome(result("  []")), Outcome::Empty);
    assert_eq!(outcome(result("Error: no such page")), Outcome::Failed);
    assert_eq!(outcome(result("{\"success\": false, \"message\": \"no\"}")), Outcome::Failed);
    assert_eq!(outcome(result("{\"error\": null, \"rows\": 3}")), Outcome::Answered);
    assert_eq!(outcome(result("打开文件失败: 权限不足")), Outcome::Failed);
    assert_eq!(outcome(error("anything")), Outcome::Failed);
    assert_eq!(outcome(error("Tool execution timed out after 40.0 seconds.")), Outcome::TimedOut);
    assert_eq!(outcome(error("ClosedResourceError: ")), Outcome::Lost);
}

#[test]
fn what_a_failure_explains_is_told_by_its_own_words() {
    let reason = |text: &str| {
        let asked = json!({"path": "/notes/long/name.txt"});
        judge(&[case("read", "Invalid path", asked, error(text))])[0].told.clone().unwrap().reason
    };
    assert_eq!(reason("path must be absolute"), Reason::Refused);
    assert_eq!(reason("路径不能为空"), Reason::Refused);
    assert_eq!(
        reason("{\"status\": \"error\", \"message\": \"\\u6587\\u4ef6\\u4e0d\\u5b58\\u5728\"}"),
        Reason::Absent
    );
    assert_eq!(
        reason("1 validation error for readArguments\npath\n  Field required"),
        Reason::Schema
    );
    assert_eq!(reason("'NoneType' object has no attribute 'read'"), Reason::Bug);
    assert_eq!(reason("Connection refused by api.example"), Reason::Outside);
    assert_eq!(reason("An unexpected error occurred: "), Reason::Silent);
    assert_eq!(reason("/notes/long/name.txt"), Reason::Silent, "an echo explains nothing");
    assert_eq!(reason("the moon is full"), Reason::Other);
}

#[test]
fn a_refusal_that_ordinary_calls_get_too_shows_nothing() {
    let verdicts = judge(&[
        case("read", "Reads a page", json!({"page": 1}), error("key missing for service 7")),
        case("read", "Invalid page", json!({"page": -1}), error("key missing for service 9")),
        case("write", "Invalid page", json!({"page": -1}), error("key missing for service 9")),
    ]);
    let standings: Vec<Standing> = verdicts.iter().map(|v| v.standing).collect();
    assert_eq!(standings, [Standing::Failed, Standing::Undemonstrated, Standing::Handled]);
}

#[test]
fn an_attack_is_judged_by_what_came_of_it() {
    let attack =
        |tool: &str, asked, said| judge(&[case(tool, "Security: attack", asked, said)])[0].standing;
    let path = json!({"path": "..\\..\\secret.txt"});
    assert_eq!(
        attack("search", json!({"query": "<script>"}), result("2 hits")),
        Standing::Harmless
    );
    assert_eq!(
        attack("write_note", json!({"text": "; rm -rf /"}), result("saved")),
        Standing::LetThrough
    );
    assert_eq!(
        attack("write_note", path.clone(), result("written to ..\\..\\secret.txt")),
        Standing::Breach
    );
    assert_eq!(
        attack("read_note", json!({"path": "/etc/passwd"}), result("root:x:0:0:root")),
        Standing::Breach
    );
    assert_eq!(
        attack("read_note", path.clone(), error("path is outside of the folder")),
        Standing::Blocked
    );
    assert_eq!(attack("read_note", path, error("")), Standing::Clumsy);
}

#[test]
fn proof_decides_where_there_was_an_oracle() {
    let mut attack =
        case("write_note", "Security: attack", json!({"text": "../x"}), result("saved ../x"));
    attack.proven = Some(false);
    assert_eq!(judge(std::slice::from_ref(&attack))[0].standing, Standing::Harmless);
    attack.proven = Some(true);
    assert_eq!(judge(&[attack])[0].standing, Standing::Breach);
}
