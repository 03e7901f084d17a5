//! `[[target]]`: servers that `assess` finds without a command line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Deserialize;
use toml::Spanned;

use super::File;
use crate::args::TargetArgs;
use crate::nearest::did_you_mean;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTarget {
    name: String,
    #[serde(default)]
    command: Vec<String>,
    url: Option<String>,
    sse: Option<String>,
    source: Option<PathBuf>,
    cwd: Option<PathBuf>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    header: BTreeMap<String, String>,
    bearer_env: Option<String>,
}

/// A server by name, as the command line would give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedTarget {
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    pub(crate) url: Option<String>,
    pub(crate) sse: Option<String>,
    pub(crate) source: Option<PathBuf>,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) header: Vec<(String, String)>,
    pub(crate) bearer_env: Option<String>,
}

impl File<'_> {
    pub(super) fn targets(&self, raw: Vec<Spanned<RawTarget>>) -> Result<Vec<NamedTarget>> {
        let mut targets: Vec<NamedTarget> = Vec::new();
        for raw in raw {
            let place = self.place(raw.span());
            let raw = raw.into_inner();
            if targets.iter().any(|t| t.name == raw.name) {
                bail!("{place}: target `{}` is there twice; name each once", raw.name);
            }
            let ways = [!raw.command.is_empty(), raw.url.is_some(), raw.sse.is_some()];
            match (ways.into_iter().filter(|w| *w).count(), &raw.source) {
                (1, _) | (0, Some(_)) => {}
                (_, _) => bail!(
                    "{place}: target `{}` needs exactly one of `command`, `url` and `sse`, or a `source` alone",
                    raw.name
                ),
            }
            targets.push(NamedTarget {
                name: raw.name,
                command: raw.command,
                url: raw.url,
                sse: raw.sse,
                source: raw.source,
                cwd: raw.cwd,
                env: raw.env.into_iter().collect(),
                header: raw.header.into_iter().collect(),
                bearer_env: raw.bearer_env,
            });
        }
        Ok(targets)
    }
}

/// Fills in the target of the settings where the command line names none.
pub(crate) fn aim(args: &mut TargetArgs, targets: &[NamedTarget]) -> Result<()> {
    let names: Vec<&str> = targets.iter().map(|t| t.name.as_str()).collect();
    let list = names.join(", ");
    let given = !args.command.is_empty()
        || args.url.is_some()
        || args.sse.is_some()
        || args.config.is_some()
        || args.source.is_some();
    let chosen = match (&args.target, targets) {
        (Some(name), _) if given => {
            bail!("--target {name} and another target are given; keep one")
        }
        (Some(_), []) => bail!(
            "--target chooses a [[target]] of proofmark.toml, and there is none; see docs/settings.md"
        ),
        (Some(name), _) => match targets.iter().find(|t| t.name == *name) {
            Some(found) => found,
            None => bail!(
                "--target {name}: no such target{}; there are {list}",
                did_you_mean(name, names.iter().copied())
            ),
        },
        (None, _) if given => return Ok(()),
        (None, []) => return Ok(()),
        (None, [only]) => only,
        (None, _) => bail!("which target? choose one with --target: {list}"),
    };
    args.command.clone_from(&chosen.command);
    args.url.clone_from(&chosen.url);
    args.sse.clone_from(&chosen.sse);
    args.source.clone_from(&chosen.source);
    args.cwd = args.cwd.take().or_else(|| chosen.cwd.clone());
    args.bearer_env = args.bearer_env.take().or_else(|| chosen.bearer_env.clone());
    // What the command line says comes last, and so counts.
    args.env.splice(0..0, chosen.env.iter().cloned());
    args.header.splice(0..0, chosen.header.iter().cloned());
    args.target = None;
    Ok(())
}
