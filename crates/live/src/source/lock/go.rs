//! `go.mod`. Its requirements are what is built; `go.sum` also names versions that only took part
//! in choosing them.

use proofmark_core::evidence::{Ecosystem, Locked};

pub(super) fn parse(text: &str) -> Result<Vec<Locked>, String> {
    let mut found = Vec::new();
    let mut block = false;
    for line in text.lines().map(str::trim) {
        match line {
            "require (" | "require(" => block = true,
            ")" => block = false,
            _ => {
                let one = line.strip_prefix("require ").or(block.then_some(line));
                found.extend(one.and_then(requirement));
            }
        }
    }
    match text.lines().any(|l| l.trim_start().starts_with("module ")) {
        true => Ok(found),
        false => Err("it names no module".to_owned()),
    }
}

fn requirement(line: &str) -> Option<Locked> {
    let (facts, comment) = line.split_once("//").unwrap_or((line, ""));
    let mut words = facts.split_whitespace();
    let name = words.next()?.trim_matches('"');
    let version = words.next().filter(|v| v.starts_with('v'))?;
    let direct = comment.trim() != "indirect";
    Some(Locked { direct, ..Locked::new(Ecosystem::Go, name, Some(version)) })
}
