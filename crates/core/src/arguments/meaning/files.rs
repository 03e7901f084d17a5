//! Files and folders, all within the planted workspace.

use super::{Asked, Context, Hint, Meaning, Row, Texts::Fixed, Texts::Made};
use crate::probe::{Risk, words};
use crate::seed::Seed;

pub(super) const ROWS: &[Row] = &[
    Row::of(Meaning::File, "", "path to|file path|filename", Made(file)),
    Row::of(Meaning::NewFile, "", "", Made(new_file)),
    Row::of(Meaning::Folder, "", "directory", Made(folder)),
    Row::of(Meaning::RelativeFile, "", "", Fixed(&["README.md", "app.py"])),
];

const PATHS: &[&str] =
    &["path", "paths", "filepath", "filepaths", "filename", "filenames", "file", "files"];
const FOLDERS: &[&str] = &[
    "directory",
    "directories",
    "dir",
    "folder",
    "folders",
    "dirpath",
    "cwd",
    "workdir",
    "workspace",
];
/// Parts of a file: what makes them needs the file itself to be there.
const PARTS: &[&str] = &[
    "worksheet",
    "sheet",
    "chart",
    "table",
    "cell",
    "cells",
    "range",
    "row",
    "rows",
    "column",
    "columns",
    "paragraph",
    "heading",
    "footnote",
    "style",
    "line",
    "section",
    "pivot",
    "slide",
    "comment",
    "data",
];

/// Planted files by what they are called or described as; the first word that is found decides.
const PLANTED: &[(&str, &str)] = &[
    ("csv|tsv|dataset|dataframe", "data.csv"),
    ("xlsx|xls|excel|workbook|spreadsheet|worksheet|sheet", "table.xlsx"),
    ("docx|doc|word", "letter.docx"),
    ("pdf|pdfs", "report.pdf"),
    ("sqlite|db|database", "store.sqlite"),
    ("png|jpg|jpeg|gif|image|images|img|picture|photo|screenshot", "image.png"),
    ("yaml|yml", "config.yaml"),
    ("json", "config.json"),
    ("html|htm|webpage", "page.html"),
    ("zip|archive|unzip", "archive.zip"),
    ("py|python|script|code|ast", "src/main.py"),
    ("md|markdown", "notes.md"),
];

/// Whether a file or a folder is meant often stands only in the tool's name.
pub(super) fn of(asked: &Asked<'_>) -> Option<Meaning> {
    let on_files = asked.tool_has(&["file", "files", "move", "copy", "rename", "directory"]);
    let way = asked.named(&["source", "destination", "dest"])
        && (on_files || asked.says("path") || asked.says("file"));
    let called = asked.named(&["file"]) && asked.ends(&["name", "names"]);
    let names_file = asked.named(&["file", "files", "filepath", "filename"]);
    let other = asked.named(&["json", "jsonpath", "xpath", "url"]) && !names_file;
    if other || !(asked.ends(PATHS) || asked.ends(FOLDERS) || way || called) {
        return None;
    }
    let hosted = words(&asked.context.server);
    if hosted.iter().any(|w| matches!(w.as_str(), "github" | "gitlab" | "bitbucket")) {
        return Some(Meaning::RelativeFile);
    }
    if asked.tool_has(&["git"]) || asked.named(&["repo", "repository"]) {
        return Some(if names_file { Meaning::RelativeFile } else { Meaning::Repository });
    }
    let of_folders = asked.tool_has(FOLDERS) || asked.tool_has(&["tree", "list", "ls", "search"]);
    if asked.named(FOLDERS) || (of_folders && !names_file) {
        return Some(Meaning::Folder);
    }
    let to_save = ["save to", "write to", "output", "destination", "new file", "be created"];
    let makes = asked.tool_has(&["write", "create", "save", "new", "generate"])
        || to_save.iter().any(|phrase| asked.says(phrase));
    let within = asked.tool_has(PARTS) || asked.says("existing");
    // `csv_path` of `export_csv` is where it goes, a mere `path` what it comes from.
    let exported =
        asked.tool_has(&["export"]) && asked.name.iter().any(|word| asked.tool.contains(word));
    let fresh = asked.named(&["destination", "output", "dest", "out", "save"])
        || exported
        || (asked.context.risk != Risk::Reads && makes && !within);
    Some(if fresh { Meaning::NewFile } else { Meaning::File })
}

fn file(hint: Hint<'_>, context: &Context, seed: Seed) -> String {
    let reads = context.risk == Risk::Reads;
    match (kind(hint, context), hint.index) {
        (Some(planted), 0) if !touches_files(context) => context.fresh(planted),
        (_, 0) if reads => context.file(),
        (_, 1) if reads => context.spare_file(),
        (_, 0) => context.spare_file(),
        (_, n) => context.fresh(&format!("sample-{}-{n}.md", seed.word(hint.name, 6))),
    }
}

/// The planted file of the kind asked for: by the name, the description, the tool, the server.
fn kind(hint: Hint<'_>, context: &Context) -> Option<&'static str> {
    let of = |text: &str| {
        let file =
            |w: &String| PLANTED.iter().find(|(clues, _)| clues.split('|').any(|clue| clue == w));
        words(text).iter().find_map(file).map(|(_, file)| *file)
    };
    // `insert_image` of a server for workbooks wants a workbook; `read_csv` wants what it reads.
    let reads = words(&context.tool).iter().any(|w| {
        matches!(w.as_str(), "read" | "open" | "load" | "convert" | "to" | "extract" | "parse")
    });
    let (first, second) =
        if reads { (&context.tool, &context.server) } else { (&context.server, &context.tool) };
    of(hint.name).or_else(|| of(hint.about)).or_else(|| of(first)).or_else(|| of(second))
}

/// A tool that moves or removes whole files gets the one that may go away.
fn touches_files(context: &Context) -> bool {
    let tool = words(&context.tool);
    let has = |any: &[&str]| tool.iter().any(|w| any.contains(&w.as_str()));
    context.risk != Risk::Reads
        && (has(&["file", "files"]) || (has(&["move", "rename"]) && !has(PARTS)))
}

fn new_file(hint: Hint<'_>, context: &Context, seed: Seed) -> String {
    let planted = kind(hint, context).and_then(|file| file.rsplit_once('.'));
    let ending = planted.map_or("txt", |(_, ending)| ending);
    let more = if hint.index == 0 { String::new() } else { format!("-{}", hint.index + 1) };
    context.fresh(&format!("sample-{}{more}.{ending}", seed.word(hint.name, 6)))
}

fn folder(hint: Hint<'_>, context: &Context, seed: Seed) -> String {
    let fresh = || context.fresh(&format!("folder-{}", seed.word(hint.name, 6)));
    let makes = |w: &String| matches!(w.as_str(), "create" | "make" | "mkdir" | "new");
    match (context.risk, hint.index) {
        (Risk::Reads, 0) => context.folder(),
        (Risk::Reads, _) => context.fresh("docs"),
        (Risk::Writes, 0) if !words(&context.tool).iter().any(makes) => context.folder(),
        (Risk::Writes | Risk::Destroys, _) => fresh(),
    }
}
