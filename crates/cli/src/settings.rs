//! `proofmark.toml`: what a project has settled. One file for all such things, and strict: a key
//! that is not known is an error, for it would otherwise be silently without effect.

mod gate;
mod target;

pub(crate) use gate::{Asked, GateSettings};
pub(crate) use target::{NamedTarget, aim};

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use proofmark_core::sieve::{Day, Suppression};
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use crate::args::values;
use crate::nearest::did_you_mean;

/// Read from the current directory unless another file is named.
const DEFAULT: &str = "proofmark.toml";

/// All sections. A new one is a field here, of a type of its own.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    suppress: Vec<Spanned<RawSuppress>>,
    #[serde(default)]
    gate: gate::RawGate,
    #[serde(default)]
    target: Vec<Spanned<target::RawTarget>>,
    licences: Option<RawLicences>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLicences {
    allow: Spanned<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSuppress {
    check: Option<Spanned<String>>,
    tool: Option<Spanned<String>>,
    param: Option<String>,
    fingerprint: Option<String>,
    reason: Option<Spanned<String>>,
    expires: Option<Spanned<RawDay>>,
}

/// A date of TOML, or a text that is one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RawDay {
    Date(Datetime),
    Text(String),
}

/// What the file says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Settings {
    pub(crate) suppressions: Vec<Suppression>,
    pub(crate) gate: GateSettings,
    pub(crate) targets: Vec<NamedTarget>,
    /// Licences that dependencies may have; unset: not judged.
    pub(crate) licences: Option<Vec<String>>,
}

impl Settings {
    /// The named file, which must be there, or the usual one, which need not.
    pub(crate) fn load(named: Option<&PathBuf>) -> Result<Settings> {
        let path = named.map_or(Path::new(DEFAULT), PathBuf::as_path);
        match fs::read_to_string(path) {
            Ok(text) => Settings::parse(&path.display().to_string(), &text),
            Err(e) if named.is_none() && e.kind() == ErrorKind::NotFound => Ok(Settings::default()),
            Err(e) => Err(e).with_context(|| {
                format!(
                    "can't read {}; --settings takes a TOML file, see docs/settings.md",
                    path.display()
                )
            }),
        }
    }

    /// `name` is the file's, for messages.
    fn parse(name: &str, text: &str) -> Result<Settings> {
        let file = File { name, text };
        let raw: Raw = toml::from_str(text).map_err(|e| file.malformed(&e))?;
        let suppressions = raw.suppress.into_iter().map(|s| file.suppression(s));
        Ok(Settings {
            suppressions: suppressions.collect::<Result<_>>()?,
            gate: file.gate(raw.gate)?,
            targets: file.targets(raw.target)?,
            licences: raw.licences.map(|l| file.licences(l.allow)).transpose()?,
        })
    }
}

struct File<'a> {
    name: &'a str,
    text: &'a str,
}

impl File<'_> {
    fn place(&self, span: Range<usize>) -> String {
        let line = 1 + self.text.bytes().take(span.start).filter(|b| *b == b'\n').count();
        format!("{}:{line}", self.name)
    }

    fn suppression(&self, raw: Spanned<RawSuppress>) -> Result<Suppression> {
        let place = self.place(raw.span());
        let raw = raw.into_inner();
        if raw.check.is_none() && raw.tool.is_none() && raw.fingerprint.is_none() {
            bail!(
                "{place}: this suppression names nothing; give it a `check`, a `tool` or a `fingerprint`"
            );
        }
        let (check, tool) = (self.check(raw.check)?, self.tool(raw.tool)?);
        let reason = self.reason(&place, raw.reason)?;
        let expires = raw.expires.map(|day| self.day(day)).transpose()?;
        let (param, fingerprint) = (raw.param, raw.fingerprint);
        Ok(Suppression { check, tool, param, fingerprint, reason, expires, place })
    }

    /// An empty list would refuse everything, which nobody means.
    fn licences(&self, raw: Spanned<Vec<String>>) -> Result<Vec<String>> {
        let place = self.place(raw.span());
        match raw.into_inner() {
            list if list.iter().all(|name| name.trim().is_empty()) => bail!(
                "{place}: `allow` names no licence; list SPDX identifiers, such as \"MIT\", or leave the section out"
            ),
            list => Ok(list),
        }
    }

    fn check(&self, raw: Option<Spanned<String>>) -> Result<Option<String>> {
        let Some(raw) = raw else { return Ok(None) };
        let place = self.place(raw.span());
        values::selection(raw.get_ref()).map(Some).map_err(|why| anyhow!("{place}: `check`: {why}"))
    }

    fn tool(&self, raw: Option<Spanned<String>>) -> Result<Option<String>> {
        let Some(raw) = raw else { return Ok(None) };
        let place = self.place(raw.span());
        values::glob(raw.get_ref()).map(Some).map_err(|why| anyhow!("{place}: `tool`: {why}"))
    }

    fn reason(&self, place: &str, raw: Option<Spanned<String>>) -> Result<String> {
        let reason = raw.map(Spanned::into_inner).unwrap_or_default();
        match reason.trim() {
            "" => bail!("{place}: this suppression has no `reason`; say why the finding may stand"),
            text => Ok(text.to_owned()),
        }
    }

    fn day(&self, raw: Spanned<RawDay>) -> Result<Day> {
        let place = self.place(raw.span());
        let text = match raw.into_inner() {
            RawDay::Date(date) => date.to_string(),
            RawDay::Text(text) => text,
        };
        text.parse().map_err(|why| anyhow!("{place}: `expires`: {why}"))
    }

    /// The words of the parser, with the place and, for a key that is not known, the nearest one.
    fn malformed(&self, error: &toml::de::Error) -> anyhow::Error {
        let why = error.message().lines().collect::<Vec<_>>().join(" ");
        let place = error.span().map_or_else(|| self.name.to_owned(), |s| self.place(s));
        let mut quoted = why.split('`').skip(1).step_by(2);
        let hint = match (why.starts_with("unknown field"), quoted.next()) {
            (true, Some(key)) => did_you_mean(key, quoted),
            (true, None) | (false, _) => String::new(),
        };
        anyhow!("{place}: {why}{hint}; docs/settings.md lists every key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        format!("{:#}", Settings::parse("proofmark.toml", text).unwrap_err())
    }

    #[test]
    fn a_suppression_is_read_with_the_place_where_it_stands() {
        let text = "# ours\n[[suppress]]\ncheck = \"errors/unknown-tool\"\ntool = \"get_*\"\nreason = \"known\"\nexpires = 2027-01-31\n";
        let read = Settings::parse("proofmark.toml", text).unwrap();
        let one = &read.suppressions[0];
        assert_eq!(one.check.as_deref(), Some("errors/unknown-tool"));
        assert_eq!((one.place.as_str(), one.reason.as_str()), ("proofmark.toml:2", "known"));
        assert_eq!(one.expires.unwrap().to_string(), "2027-01-31");
        let quoted = text.replace("2027-01-31", "\"2027-01-31\"");
        assert_eq!(Settings::parse("proofmark.toml", &quoted).unwrap(), read);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_the_way_out() {
        let slip = refused("[[suppress]]\ncheck = \"errors\"\nreasn = \"x\"\n");
        assert!(slip.starts_with("proofmark.toml:3: unknown field `reasn`"), "{slip}");
        assert!(
            slip.contains("did you mean `reason`") && slip.contains("docs/settings.md"),
            "{slip}"
        );
        let section = refused("[suppres]\n");
        assert!(section.contains("did you mean `suppress`"), "{section}");
        let why = refused("\n[[suppress]]\ncheck = \"errors\"\n");
        assert!(why.starts_with("proofmark.toml:2: this suppression has no `reason`"), "{why}");
        let nothing = refused("[[suppress]]\nreason = \"x\"\n");
        assert!(nothing.contains("give it a `check`"), "{nothing}");
        let check = refused("[[suppress]]\ncheck = \"errors/unkown-tool\"\nreason = \"x\"\n");
        assert!(
            check.starts_with("proofmark.toml:2") && check.contains("errors/unknown-tool"),
            "{check}"
        );
        let day = refused("[[suppress]]\ncheck = \"errors\"\nreason = \"x\"\nexpires = \"soon\"\n");
        assert!(
            day.starts_with("proofmark.toml:4") && day.contains("expected one such as"),
            "{day}"
        );
        let hour = refused(
            "[[suppress]]\ncheck = \"errors\"\nreason = \"x\"\nexpires = 2027-01-01T10:00:00Z\n",
        );
        assert!(hour.contains("is no date"), "{hour}");
        assert!(refused("[[suppress]\n").starts_with("proofmark.toml:1: "));
    }
}
