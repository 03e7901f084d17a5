//! What names and descriptions are taken to mean.

use super::*;
use crate::probe::Risk;

fn of(tool: &str, risk: Risk, name: &str, about: &str) -> Option<Meaning> {
    let context = Context { tool: tool.to_owned(), risk, ..Context::in_folder("/w") };
    Meaning::of(Hint { name, about, index: 0 }, &context)
}

#[test]
fn a_path_means_what_the_tool_does_with_it() {
    assert_eq!(of("read_text_file", Risk::Reads, "path", ""), Some(Meaning::File));
    assert_eq!(of("list_directory", Risk::Reads, "path", ""), Some(Meaning::Folder));
    assert_eq!(of("write_file", Risk::Writes, "path", ""), Some(Meaning::NewFile));
    assert_eq!(of("move_file", Risk::Writes, "source", ""), Some(Meaning::File));
    assert_eq!(of("move_file", Risk::Writes, "destination", ""), Some(Meaning::NewFile));
    assert_eq!(of("git_status", Risk::Reads, "repo_path", ""), Some(Meaning::Repository));
    assert_eq!(of("git_add", Risk::Writes, "files", ""), Some(Meaning::RelativeFile));
    assert_eq!(of("git_log", Risk::Reads, "directory", ""), Some(Meaning::Repository));
    assert_eq!(of("search_flights", Risk::Reads, "destination", ""), Some(Meaning::City));
}

#[test]
fn names_and_descriptions_tell_times_apart() {
    let t = |name, about| of("convert", Risk::Reads, name, about);
    assert_eq!(t("time", "in 24-hour format (HH:MM)"), Some(Meaning::ClockTime));
    assert_eq!(t("source_timezone", "IANA name"), Some(Meaning::Timezone));
    assert_eq!(t("start_date", ""), Some(Meaning::Date));
    assert_eq!(t("createdAt", ""), Some(Meaning::DateTime));
}

#[test]
fn the_telling_word_of_a_name_decides() {
    assert_eq!(of("git_checkout", Risk::Writes, "branch_name", ""), Some(Meaning::Branch));
    assert_eq!(of("x", Risk::Reads, "query_text", ""), Some(Meaning::Query));
    assert_eq!(of("x", Risk::Reads, "commit1", ""), Some(Meaning::Revision));
    assert_eq!(of("execute_sql", Risk::Writes, "query", ""), Some(Meaning::Sql));
}

#[test]
fn the_type_of_a_thing_is_not_the_thing() {
    assert_eq!(of("git_branch", Risk::Reads, "branch_type", ""), Some(Meaning::Status));
    assert_eq!(of("x", Risk::Reads, "content_type", ""), Some(Meaning::MimeType));
    assert_eq!(text("git_create_branch", Risk::Writes, "base_branch", ""), "main");
}

#[test]
fn a_word_nobody_knows_means_nothing() {
    assert_eq!(of("x", Risk::Reads, "frobnication", ""), None);
}

fn text(tool: &str, risk: Risk, name: &str, about: &str) -> String {
    let context = Context { tool: tool.to_owned(), risk, ..Context::in_folder("/w") };
    let hint = Hint { name, about, index: 0 };
    Meaning::of(hint, &context).map(|m| m.text(hint, &context, Seed(1))).unwrap_or_default()
}

#[test]
fn a_file_is_of_the_kind_that_is_asked_for() {
    let t = |tool, name, about| text(tool, Risk::Reads, name, about);
    assert_eq!(t("analyze", "csv_path", ""), "/w/data.csv");
    assert_eq!(t("read_pdf", "file_path", ""), "/w/report.pdf");
    assert_eq!(t("describe", "path", "Path to the image"), "/w/image.png");
    assert_eq!(t("read_file", "path", ""), "/w/notes.md");
    assert_eq!(text("write_data", Risk::Writes, "filepath", "Path to Excel file"), "/w/table.xlsx");
    assert_eq!(text("delete_file", Risk::Destroys, "path", "a PDF"), "/w/data.csv");
    assert!(text("create_workbook", Risk::Writes, "filepath", "").ends_with(".xlsx"));
}

#[test]
fn an_address_is_always_ours_and_of_the_kind_that_is_asked_for() {
    let t = |tool, name| text(tool, Risk::Reads, name, "e.g. https://example.com");
    assert_eq!(t("fetch", "url"), "http://127.0.0.1/");
    assert_eq!(t("fetch_feed", "url"), "http://127.0.0.1/feed.xml");
    assert_eq!(t("caption", "image_url"), "http://127.0.0.1/image.png");
}

#[test]
fn words_count_and_parts_of_words_do_not() {
    assert_eq!(of("x", Risk::Reads, "import", ""), None);
    assert_eq!(of("x", Risk::Reads, "porter", ""), None);
    assert_eq!(of("x", Risk::Reads, "port", ""), Some(Meaning::Port));
    assert_eq!(of("x", Risk::Reads, "curler", ""), None);
}

#[test]
fn every_meaning_has_a_row_with_a_text() {
    let context = Context::in_folder("/w");
    for row in rows() {
        for index in 0..5 {
            let hint = Hint { name: "x", about: "", index };
            assert!(!row.means.text(hint, &context, Seed(1)).is_empty(), "{:?}", row.means);
        }
    }
}

#[test]
fn phrases_say_more_than_words() {
    let t = |name| of("x", Risk::Reads, name, "");
    assert_eq!(t("content_type"), Some(Meaning::MimeType));
    assert_eq!(t("time_zone"), Some(Meaning::Timezone));
    assert_eq!(t("first_name"), Some(Meaning::FullName));
    assert_eq!(t("ip_address"), Some(Meaning::Ip));
    assert_eq!(t("sheet_name"), Some(Meaning::Sheet));
    assert_eq!(t("table_name"), Some(Meaning::Table));
}
