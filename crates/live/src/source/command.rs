//! The package behind a command line, as far as this machine can tell without running it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::isolate::launcher_cache;
use proofmark_core::evidence::Source;

use super::{files, manifest, npm, python, tree};

/// How far up from a script its package is looked for.
const CLIMB: usize = 6;
/// How many launchers may stand before the real command (`env`, `uv run`).
const UNWRAP: usize = 3;

/// A command with what it is resolved against.
pub(super) struct Line<'a> {
    words: Vec<&'a str>,
    env: &'a BTreeMap<String, String>,
    cwd: PathBuf,
}

impl<'a> Line<'a> {
    pub(super) fn new(
        command: &'a str,
        args: &'a [String],
        env: &'a BTreeMap<String, String>,
        cwd: Option<&str>,
    ) -> Line<'a> {
        let words = std::iter::once(command).chain(args.iter().map(String::as_str)).collect();
        let here = std::env::current_dir().unwrap_or_default();
        Line { words, env, cwd: cwd.map_or(here.clone(), |dir| here.join(dir)) }
    }

    pub(super) fn source(mut self) -> Option<Source> {
        for _ in 0..UNWRAP {
            let (&first, rest) = self.words.split_first()?;
            let program = files::name(Path::new(first));
            let skip = match program {
                "env" => rest.iter().take_while(|w| w.contains('=') || w.starts_with('-')).count(),
                "uv" => match self.uv_run(rest) {
                    Some(Run::Tree(dir)) => return tree::read(&dir, dir.display().to_string()),
                    Some(Run::Words(skip)) => skip,
                    None => return None,
                },
                _ => return self.package(program),
            };
            self.words.drain(..=skip);
        }
        None
    }

    fn package(&self, program: &str) -> Option<Source> {
        match program {
            "npx" => npm::cached(&self.npm_caches(), self.spec(&["-p", "--package"])?),
            "uvx" => self.uvx(self.spec(&["--from"])?),
            "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => self.script(),
            name if name.starts_with("python") => self.python(),
            _ => self.executable(),
        }
    }

    /// The package a launcher is asked for: the value of one of `flags`, else the first word.
    fn spec(&self, flags: &[&str]) -> Option<&'a str> {
        let named = self.words.iter().enumerate().skip(1).find_map(|(i, word)| {
            let (flag, value) = word.split_once('=').unzip();
            match flag {
                Some(flag) if flags.contains(&flag) => value,
                _ if flags.contains(word) => self.words.get(i + 1).copied(),
                _ => None,
            }
        });
        named.or_else(|| self.words.iter().skip(1).find(|w| !w.starts_with('-')).copied())
    }

    fn uv_run(&self, rest: &[&str]) -> Option<Run> {
        let at = rest.iter().position(|w| *w == "run")?;
        let dir = rest.iter().enumerate().find_map(|(i, w)| {
            ["--directory", "--project"].contains(w).then(|| rest.get(i + 1)).flatten()
        });
        let dir = dir.map_or(self.cwd.clone(), |dir| self.cwd.join(dir));
        if manifest::is_root(&dir) { Some(Run::Tree(dir)) } else { Some(Run::Words(at + 1)) }
    }

    fn uvx(&self, spec: &str) -> Option<Source> {
        let (name, version) = match spec.split_once("==").or_else(|| spec.split_once('@')) {
            Some((name, version)) => (name, Some(version).filter(|v| *v != "latest")),
            None => (spec, None),
        };
        let name = name.split('[').next().unwrap_or(name);
        let own = self
            .variable("UV_CACHE_DIR")
            .or_else(|| Some(self.variable("XDG_CACHE_HOME")?.join("uv")))
            .or_else(|| Some(self.variable("HOME")?.join(".cache/uv")));
        let caches = own.into_iter().chain([launcher_cache().join("uv/cache")]);
        let slots: Vec<PathBuf> =
            caches.flat_map(|cache| files::entries(&cache.join("archive-v0"))).collect();
        // A slot is a whole environment or one unpacked wheel; the former knows SDK versions.
        let whole = slots.iter().flat_map(|slot| python::site_packages(&slot.join("bin/python")));
        let sites: Vec<PathBuf> = whole.chain(slots.iter().cloned()).collect();
        python::named(&sites, name, version)
    }

    /// `node dist/index.js`: the package around the script.
    fn script(&self) -> Option<Source> {
        let script =
            self.words.iter().skip(1).filter(|w| !w.starts_with('-')).find_map(|word| {
                let path = self.cwd.join(word).canonicalize().ok()?;
                path.is_file().then_some(path)
            })?;
        around(&script)
    }

    fn python(&self) -> Option<Source> {
        let at = self.words.iter().position(|w| *w == "-m");
        let Some(module) = at.and_then(|i| self.words.get(i + 1)) else { return self.script() };
        let interpreter = self.resolve(self.words.first()?)?;
        let sites = self.sites(&interpreter);
        python::owning_module(&sites, module).or_else(|| {
            let local = self.cwd.join(module.split('.').next()?);
            local.is_dir().then(|| around(&local))?
        })
    }

    /// A console script of Python, or a link into `node_modules`.
    fn executable(&self) -> Option<Source> {
        let path = self.resolve(self.words.first()?)?;
        if let Some(interpreter) = python::interpreter(&path) {
            let interpreter =
                if interpreter.is_absolute() { interpreter } else { self.on_path(&interpreter)? };
            return python::owning_script(&self.sites(&interpreter), files::name(&path));
        }
        let real = path.canonicalize().ok()?;
        let in_modules = real.components().any(|c| c.as_os_str() == "node_modules");
        let is_script = ["js", "mjs", "cjs", "ts"]
            .contains(&real.extension().and_then(|e| e.to_str()).unwrap_or_default());
        (in_modules || is_script).then(|| around(&real))?
    }

    fn sites(&self, interpreter: &Path) -> Vec<PathBuf> {
        let sites = python::site_packages(interpreter);
        if !sites.is_empty() {
            return sites;
        }
        // `~/bin/python` may itself be a link into the installation.
        interpreter.canonicalize().map(|real| python::site_packages(&real)).unwrap_or_default()
    }

    fn resolve(&self, command: &str) -> Option<PathBuf> {
        let path = Path::new(command);
        if path.components().count() > 1 {
            let path = self.cwd.join(path);
            return path.is_file().then_some(path);
        }
        self.on_path(path)
    }

    fn on_path(&self, program: &Path) -> Option<PathBuf> {
        let path = self.variable("PATH")?;
        std::env::split_paths(path.as_os_str())
            .map(|dir| self.cwd.join(dir).join(program))
            .find(|candidate| candidate.is_file())
    }

    fn npm_caches(&self) -> Vec<PathBuf> {
        let named = ["npm_config_cache", "NPM_CONFIG_CACHE"].iter().find_map(|n| self.variable(n));
        let usual = self.variable("HOME").map(|home| home.join(".npm"));
        named.into_iter().chain(usual).chain([launcher_cache().join("npm")]).collect()
    }

    /// What the server would see, else what we see.
    fn variable(&self, name: &str) -> Option<PathBuf> {
        self.env.get(name).map(PathBuf::from).or_else(|| std::env::var_os(name).map(PathBuf::from))
    }
}

enum Run {
    /// A project directory.
    Tree(PathBuf),
    /// Leave out this many words to find the command.
    Words(usize),
}

/// The package around a file: the nearest manifest with a name, else a README beside the file.
fn around(file: &Path) -> Option<Source> {
    let beside = if file.is_dir() { file } else { file.parent()? };
    for dir in beside.ancestors().take(CLIMB) {
        if let Some(source) = npm::package(dir) {
            return Some(source);
        }
        if manifest::is_root(dir) {
            return tree::read(dir, dir.display().to_string());
        }
        // Above the repository lies somebody else's package.
        if dir.join(".git").exists() || files::name(dir) == "node_modules" {
            break;
        }
    }
    tree::readme(beside)?;
    tree::read(beside, beside.display().to_string())
}
