//! Code, queries and structured text.

use super::{Asked, Meaning, Row, Texts::Fixed};

pub(super) const ROWS: &[Row] = &[
    Row::of(Meaning::Sql, "sql", "sql query|sql statement|select query", Fixed(&["SELECT 1"])),
    Row::of(
        Meaning::Table,
        "table|tables|collection",
        "table name|name of the table",
        Fixed(&["notes", "people"]),
    ),
    Row::of(
        Meaning::Column,
        "column|columns|field|fields|attribute",
        "column name|column names",
        Fixed(&["name", "city", "amount"]),
    ),
    Row::of(
        Meaning::ProgrammingLanguage,
        "programming language",
        "programming language",
        Fixed(&["python", "javascript"]),
    ),
    Row::of(Meaning::Glob, "glob|globs", "glob", Fixed(&["*.md", "*.txt", "**/*"])),
    Row::of(
        Meaning::Pattern,
        "pattern|patterns|regex|regexp",
        "regular expression|regex",
        Fixed(&["notes", "sample", "e"]),
    ),
    Row::of(
        Meaning::Command,
        "command|cmd|commands",
        "shell command|command to run",
        Fixed(&["echo sample", "ls"]),
    ),
    Row::of(Meaning::Formula, "formula|formulas", "excel formula", Fixed(&["=SUM(A1:A3)", "=1+1"])),
    Row::of(
        Meaning::Expression,
        "expression|equation|expr",
        "mathematical expression|math expression",
        Fixed(&["1 + 1", "2 * 3"]),
    ),
    Row::of(
        Meaning::Code,
        "code|snippet|script|program",
        "source code|python code|javascript code",
        Fixed(&["1 + 1", "2 * 3"]),
    ),
    Row::of(Meaning::JsonPath, "jsonpath|json path", "jsonpath", Fixed(&["$.name"])),
    Row::of(
        Meaning::Json,
        "json|payload|metadata|properties",
        "json string|json object|json formatted|valid json|json array",
        Fixed(&["{\"name\": \"sample\"}", "{}"]),
    ),
    Row::of(Meaning::Yaml, "yaml|yml", "yaml", Fixed(&["name: sample\n"])),
    Row::of(Meaning::Xml, "xml", "xml document", Fixed(&["<sample><name>one</name></sample>"])),
    Row::of(
        Meaning::Html,
        "html",
        "html content|html string",
        Fixed(&["<h1>Sample</h1><p>A short text.</p>"]),
    ),
    Row::of(Meaning::Css, "selector|css", "css selector", Fixed(&["h1", "p"])),
    Row::of(
        Meaning::Markdown,
        "markdown|md",
        "markdown",
        Fixed(&["# Sample\n\nA short *text*.\n"]),
    ),
    Row::of(Meaning::Base64, "base64|b64", "base64", Fixed(&["c2FtcGxl", "bm90ZXM="])),
    Row::of(
        Meaning::Hash,
        "hash|checksum|digest|md5|sha256",
        "sha256|md5",
        Fixed(&["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"]),
    ),
    Row::of(Meaning::Version, "version|semver", "semantic version", Fixed(&["1.0.0", "1.1.0"])),
    Row::of(
        Meaning::Package,
        "package|library|module|dependency",
        "package name",
        Fixed(&["sample", "example"]),
    ),
    Row::of(
        Meaning::Sheet,
        "sheet|worksheet|sheet name",
        "name of the sheet|worksheet name|name of worksheet|sheet name",
        Fixed(&["Sheet1"]),
    ),
    Row::of(Meaning::CellRange, "range", "cell range", Fixed(&["A1:C3", "A1:B2"])),
    Row::of(
        Meaning::Cell,
        "cell|start cell|end cell|target cell",
        "cell reference|cell address|starting cell",
        Fixed(&["A1", "C3"]),
    ),
];

/// What other words of the question make of a `query`, a `language`, an `old_text`.
pub(super) fn of(asked: &Asked<'_>) -> Option<Meaning> {
    let runs_sql = asked.tool_has(&["sql"]) || asked.says("sql") || asked.says("select");
    if runs_sql && asked.named(&["query", "statement", "sql", "queries"]) {
        return Some(Meaning::Sql);
    }
    if asked.named(&["old", "find"]) && asked.ends(&["text", "string", "str", "content"]) {
        return Some(Meaning::SpareWord);
    }
    let in_code = asked.says("programming")
        || asked.says("code")
        || asked.tool_has(&["code", "ast", "parser", "query", "symbols"]);
    match asked.name.as_slice() {
        [only] if in_code && only == "language" && !asked.says("language code") => {
            Some(Meaning::ProgrammingLanguage)
        }
        _ => None,
    }
}
