//! What interpreters say of a text that broke what they were given: a hint where to look closer.

use std::sync::LazyLock;

use regex::Regex;

use crate::evidence::Reply;
use crate::pattern;

static SQL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern::ascii(
        r#"near ".{0,80}": syntax error|unrecognized token|sqlite3?(_|\.|::)?(operational)?error|sqlstate|syntax error at or near|error in your sql syntax|unterminated quoted (string|identifier) at or near|unclosed quotation mark|ora-\d{5}|psycopg|sequelizedatabaseerror"#,
    )
    .ok()
});

/// Whether a reply holds the words of a database engine about a broken statement.
pub fn complains_of_sql(reply: &Reply) -> bool {
    let text = reply.text().to_lowercase();
    SQL.as_ref().is_some_and(|words| words.is_match(&text))
}
