//! Start commands that fetch whatever is newest.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::response::quote;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "supply_chain/pinned-command",
    title: "The start command names an exact version",
    facet: Facet::SupplyChain,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("pinned_command.md"),
    judge,
};

/// Flags whose value follows as a word of its own.
const VALUED: &str = "--with --python --index-url -e --env -v --volume --mount --name --network -u --user -w --workdir --env-file --entrypoint --platform --pull --registry --directory --cache";
const NAMING: &[&str] = &["-p", "--package", "--from", "--spec"];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Target::Stdio { command, args, .. } = &evidence.target else { return Vec::new() };
    let program = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let (rest, image) = match (program.trim_end_matches(".cmd"), words.as_slice()) {
        ("npx" | "bunx" | "uvx", rest) => (rest, false),
        ("pipx" | "docker" | "podman", ["run", rest @ ..]) => (rest, program != "pipx"),
        ("pnpm" | "yarn", ["dlx", rest @ ..]) => (rest, false),
        ("npm", ["exec", rest @ ..]) | ("uv", ["tool", "run", rest @ ..]) => (rest, false),
        (_, _) => return Vec::new(),
    };
    vec![match package(rest) {
        None => Finding::unseen(
            Subject::Server,
            format!("no package can be told from the arguments of {program}"),
        ),
        Some(name) if image => of_image(name),
        Some(name) => of_package(name),
    }]
}

/// What is to be run: the value of a naming flag, else the first word that is no flag.
fn package<'a>(words: &[&'a str]) -> Option<&'a str> {
    let mut first = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some((flag, value)) if NAMING.contains(&flag) => return Some(value),
            _ if NAMING.contains(word) => return words.next().copied(),
            _ if VALUED.split(' ').any(|flag| flag == *word) => drop(words.next()),
            _ if word.starts_with('-') => {}
            // What follows belongs to the server itself.
            _ => {
                first = Some(*word);
                break;
            }
        }
    }
    first
}

fn of_package(name: &str) -> Finding {
    let version = match name.split_once("==") {
        Some((_, version)) => Some(version),
        None => name.get(1..).and_then(|rest| rest.rsplit_once('@')).map(|(_, version)| version),
    };
    let exact = |v: &str| {
        v.starts_with(|c: char| c.is_ascii_digit())
            && v.contains('.')
            && !v.contains(['*', 'x', '^', '~', '>', '<', '|', ' '])
    };
    if version.is_some_and(exact) {
        return Finding::pass(Subject::Server, format!("pinned: {}", quote(name)));
    }
    let bare = name.split("==").next().unwrap_or(name);
    Finding::fail(
        Subject::Server,
        format!("\"{}\" is resolved anew at each start", quote(name)),
        format!(
            "name the version that was reviewed, e.g. `{bare}@1.2.3` (npm) or `{bare}==1.2.3` (PyPI)"
        ),
    )
}

fn of_image(name: &str) -> Finding {
    const FIX: &str = "name the image by its digest: `image@sha256:…`";
    let tag = name.rsplit('/').next().and_then(|last| last.split_once(':')).map(|(_, tag)| tag);
    match (name.contains("@sha256:"), tag) {
        (true, _) => Finding::pass(Subject::Server, format!("pinned: {}", quote(name))),
        (false, Some(tag)) if tag.contains(|c: char| c.is_ascii_digit()) => Finding::partial(
            Subject::Server,
            Grade::new(0.75),
            format!("tag \"{}\" names a version, but can be moved", quote(tag)),
            FIX,
        ),
        (false, _) => Finding::fail(
            Subject::Server,
            format!("\"{}\" is whatever the registry holds today", quote(name)),
            FIX,
        ),
    }
}
