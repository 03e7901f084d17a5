//! Mutants: the good server with one defect each. Every one is a row in `mutants/` that says when
//! it acts and what it changes; the engine here carries rows out.

mod action;
mod edit;
mod engine;
pub(crate) mod http;
mod revisions;
mod when;

use serde::Deserialize;

pub use self::revisions::Revisions;

use self::action::Action;
use self::edit::Edit;
use self::http::{Reply, Request};
use self::when::When;
use crate::{Error, Transport};

pub(crate) use self::engine::{Counter, Engine, Hearing};
pub(crate) use self::when::Heard;

/// The server that mutants depart from, unless their row names another.
const GOOD: &str = "good";

/// One defect, and the requirement that it breaks.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Mutant {
    pub id: String,
    /// An id of the requirement table, such as `LIFE-01`.
    pub requirement: String,
    /// Where it must be caught; in the others it behaves.
    pub revisions: Revisions,
    #[serde(default = "both")]
    pub transports: Vec<Transport>,
    /// One sentence: what is broken.
    pub says: String,
    /// The specification only advises against it: a pass with a reserve is enough.
    #[serde(default)]
    pub tolerated: bool,
    /// The mode it is a defect of.
    #[serde(default = "good")]
    pub server: String,
    #[serde(default)]
    when: When,
    /// Changes to what the server hears.
    #[serde(default)]
    hear: Vec<Edit>,
    /// Changes to each message it says.
    #[serde(default)]
    edit: Vec<Edit>,
    /// Changes to which messages it says, and other deeds.
    #[serde(default, rename = "do")]
    acts: Vec<Action>,
    /// Changes to the head of an HTTP request before the server reads it.
    #[serde(default)]
    request: Vec<Request>,
    /// Changes to an HTTP response.
    #[serde(default)]
    reply: Vec<Reply>,
    /// The form of the session ids handed out; `#` becomes a counter.
    mint: Option<String>,
    flaw: Option<Flaw>,
}

/// Defects that no change of a message can express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Flaw {
    /// Lives on after stdin has closed.
    OutlivesStdin,
    /// Listens on every interface instead of loopback.
    BindsEverywhere,
    /// Writes bytes to stderr that are no UTF-8.
    BabblesOnStderr,
}

fn both() -> Vec<Transport> {
    vec![Transport::Stdio, Transport::Http]
}

fn good() -> String {
    GOOD.to_owned()
}

impl Mutant {
    fn is_inert(&self) -> bool {
        let changes = self.hear.len() + self.edit.len() + self.acts.len();
        let web = self.request.len() + self.reply.len();
        changes + web == 0 && self.mint.is_none() && self.flaw.is_none()
    }
}

/// The rows, one file per part of the requirement table.
const FILES: [(&str, &str); 8] = [
    ("life", include_str!("../mutants/life.toml")),
    ("rpc", include_str!("../mutants/rpc.toml")),
    ("tool", include_str!("../mutants/tool.toml")),
    ("data", include_str!("../mutants/data.toml")),
    ("flow", include_str!("../mutants/flow.toml")),
    ("ask", include_str!("../mutants/ask.toml")),
    ("task", include_str!("../mutants/task.toml")),
    ("http", include_str!("../mutants/http.toml")),
];

/// Every mutant, in the order of the files.
pub fn mutants() -> Result<Vec<Mutant>, Error> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        all.extend(parse(name, text)?);
    }
    Ok(all)
}

pub(crate) fn find(id: &str) -> Result<Mutant, Error> {
    let found = mutants()?.into_iter().find(|mutant| mutant.id == id);
    found.ok_or_else(|| Error::UnknownMutant(id.to_owned()))
}

fn parse(name: &str, text: &str) -> Result<Vec<Mutant>, Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        mutant: Vec<toml::Table>,
    }
    let file: File = toml::from_str(text).map_err(|e| bad_row(name, "the file", &e.to_string()))?;
    file.mutant.into_iter().enumerate().map(|(at, row)| read(name, at, row)).collect()
}

fn read(file: &str, at: usize, row: toml::Table) -> Result<Mutant, Error> {
    let name = row.get("id").and_then(toml::Value::as_str);
    let name = name.map_or_else(|| format!("row {}", at + 1), |id| format!("mutant `{id}`"));
    let mutant: Mutant =
        row.try_into().map_err(|e| bad_row(file, &name, e.to_string().trim_end()))?;
    if mutant.is_inert() {
        let why = "it changes nothing; give it `hear`, `edit`, `do` or the like";
        return Err(bad_row(file, &name, why));
    }
    Ok(mutant)
}

fn bad_row(file: &str, row: &str, why: &str) -> Error {
    let file = format!("mutants/{file}.toml");
    Error::Mutants { file, row: row.to_owned(), why: why.replace('\n', " ") }
}

#[cfg(test)]
mod tests {
    use super::{mutants, parse};

    const ROW: &str = "[[mutant]]\nid = 'x'\nrequirement = 'LIFE-01'\nrevisions = 'A-D'\n\
                       transports = ['stdio']\nsays = 'Broken.'\n";

    fn complaint(rest: &str) -> String {
        parse("some", &format!("{ROW}{rest}")).expect_err("the row is bad").to_string()
    }

    #[test]
    fn the_table_parses() {
        assert!(mutants().expect("the rows parse").len() >= 140);
    }

    #[test]
    fn a_bad_row_is_named_with_its_fault_and_the_way_out() {
        for (rest, fault) in [
            ("", "changes nothing"),
            ("do = ['explode']", "explode"),
            ("when = { methd = 'ping' }\ndo = ['silence']", "methd"),
            ("edit = [{ set = { at = '/id' } }]", "to"),
            ("flaw = 'sleepy'", "sleepy"),
        ] {
            let said = complaint(rest);
            assert!(said.starts_with("mutants/some.toml: mutant `x`: "), "{said}");
            assert!(said.contains(fault) && said.ends_with("and build again"), "{said}");
        }
    }

    #[test]
    fn revisions_are_letters_of_the_requirement_table() {
        let said =
            parse("some", &ROW.replace("A-D", "A-F")).expect_err("there is no F").to_string();
        assert!(said.contains("A-F") && said.contains("A-D"), "{said}");
    }
}
