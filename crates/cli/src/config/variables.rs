//! `${…}` in configuration files, filled in as the programs that own the files would.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// What the variables of one file stand for.
pub(super) struct Variables {
    folder: PathBuf,
    environment: fn(&str) -> Option<String>,
}

impl Variables {
    pub(super) fn of_file(path: &Path) -> Variables {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        // A project's file lies in a folder of its own below the project.
        let own = |f: &Path| f.ends_with(".vscode") || f.ends_with(".cursor");
        if own(&folder) {
            folder.pop();
        }
        Variables { folder, environment: |name| env::var(name).ok() }
    }

    #[cfg(test)]
    pub(super) fn fixed(folder: &str, environment: fn(&str) -> Option<String>) -> Variables {
        Variables { folder: PathBuf::from(folder), environment }
    }

    /// Fills in every `${…}` of a text.
    pub(super) fn expand(&self, text: &str) -> Result<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(length) = rest[start..].find('}') else {
                bail!("`{text}`: `${{` is never closed; add the `}}`");
            };
            out.push_str(&rest[..start]);
            out.push_str(&self.value(&rest[start + 2..start + length])?);
            rest = &rest[start + length + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    fn value(&self, name: &str) -> Result<String> {
        let folder = || self.folder.display().to_string();
        match name {
            "workspaceFolder" => return Ok(folder()),
            "workspaceFolderBasename" => {
                let base = self.folder.file_name().unwrap_or_default();
                return Ok(base.to_string_lossy().into_owned());
            }
            "userHome" => return self.variable("HOME", None),
            "pathSeparator" | "/" => return Ok(std::path::MAIN_SEPARATOR.to_string()),
            _ => {}
        }
        if let Some(id) = name.strip_prefix("input:") {
            bail!(
                "asks for the input `{id}`, which only the editor can prompt for; write the value \
                 into a copy of the file, or start the server with `--env NAME=value -- COMMAND`"
            );
        }
        let name = name.strip_prefix("env:").unwrap_or(name);
        match name.split_once(":-") {
            Some((name, default)) => self.variable(name, Some(default)),
            None => self.variable(name, None),
        }
    }

    fn variable(&self, name: &str, default: Option<&str>) -> Result<String> {
        match ((self.environment)(name), default) {
            (Some(value), _) => Ok(value),
            (None, Some(default)) => Ok(default.to_owned()),
            (None, None) => bail!(
                "the environment variable `{name}` is not set; set it: `{name}=… proofmark …`"
            ),
        }
    }

    /// The `NAME=value` lines of a file named by `envFile`.
    pub(super) fn env_file(&self, file: &str) -> Result<BTreeMap<String, String>> {
        let path = self.folder.join(self.expand(file)?);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("can't read its envFile {}", path.display()))?;
        let mut env = BTreeMap::new();
        for (n, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((name, value)) = line.trim_start_matches("export ").split_once('=') else {
                bail!("{}, line {}: expected NAME=value", path.display(), n + 1);
            };
            env.insert(name.trim().to_owned(), unquoted(value.trim()).to_owned());
        }
        Ok(env)
    }
}

fn unquoted(value: &str) -> &str {
    ['"', '\''].into_iter().find_map(|q| value.strip_prefix(q)?.strip_suffix(q)).unwrap_or(value)
}
