//! Which files of a tree are read. Links are not followed, and every count has an end.

use std::collections::BTreeMap;
use std::fs::FileType;
use std::path::{Path, PathBuf};

use proofmark_core::evidence::{Language, LeftOut};

/// Directories that hold what others wrote, or what a program made.
const FOREIGN: &[&str] = &[
    "node_modules",
    ".git",
    "target",
    "venv",
    ".venv",
    "env",
    "__pycache__",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "vendor",
    "third_party",
    "site-packages",
    ".next",
    ".nuxt",
    ".cache",
    "coverage",
    "bower_components",
    ".hg",
    ".svn",
    ".idea",
    ".vscode",
];
/// What a build leaves behind; a published package may hold nothing else.
const BUILT: &[&str] = &["dist", "build", "out", "lib-cov", ".output"];
const TESTS: &[&str] =
    &["test", "tests", "__tests__", "spec", "specs", "e2e", "testdata", "fixtures", "__mocks__"];
/// Files of settings, where secrets are left.
const SETTINGS: &[&str] =
    &["env", "yaml", "yml", "json", "toml", "ini", "cfg", "conf", "properties"];

const MAX_DEPTH: usize = 40;
const MAX_ENTRIES: usize = 400_000;
const MAX_FILES: usize = 25_000;

/// What is to be read.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) files: Vec<Candidate>,
    pub(super) left_out: BTreeMap<LeftOut, u32>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// Relative to the tree, with `/`.
    pub(super) name: String,
    /// `None`: settings, read for secrets only.
    pub(super) language: Option<Language>,
}

/// The code of a tree, in the order of names. Build output counts only where there is nothing else.
pub(super) fn tree(root: &Path) -> Found {
    let found = Walk::default().run(root);
    if found.files.iter().any(|f| f.language.is_some()) {
        return found;
    }
    Walk { built: true, ..Walk::default() }.run(root)
}

#[derive(Default)]
struct Walk {
    built: bool,
    entries: usize,
    found: Found,
}

impl Walk {
    fn run(mut self, root: &Path) -> Found {
        self.enter(root, "", 0);
        self.found
    }

    fn enter(&mut self, dir: &Path, prefix: &str, depth: usize) {
        let Ok(listing) = std::fs::read_dir(dir) else {
            return self.leave_out(LeftOut::Unreadable);
        };
        let mut entries: Vec<(String, FileType)> = Vec::new();
        for entry in listing.flatten() {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                self.leave_out(LeftOut::Limit);
                break;
            }
            // A name that is no text is none that people write code into.
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
                continue;
            };
            entries.push((name, kind));
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, kind) in entries {
            let below = format!("{prefix}{name}");
            if kind.is_dir() && !self.is_foreign(&name) {
                match depth < MAX_DEPTH && self.entries <= MAX_ENTRIES {
                    true => self.enter(&dir.join(&name), &format!("{below}/"), depth + 1),
                    false => self.leave_out(LeftOut::Limit),
                }
            } else if kind.is_file() {
                self.take(dir.join(&name), below);
            }
        }
    }

    fn take(&mut self, path: PathBuf, name: String) {
        let language = language(&name);
        if language.is_none() && !is_settings(&name) {
            return;
        }
        if is_test(&name) {
            return self.leave_out(LeftOut::Test);
        }
        if self.found.files.len() >= MAX_FILES {
            return self.leave_out(LeftOut::Limit);
        }
        self.found.files.push(Candidate { path, name, language });
    }

    fn is_foreign(&self, name: &str) -> bool {
        FOREIGN.contains(&name) || (!self.built && BUILT.contains(&name))
    }

    fn leave_out(&mut self, why: LeftOut) {
        *self.found.left_out.entry(why).or_default() += 1;
    }
}

fn language(name: &str) -> Option<Language> {
    match name.rsplit_once('.')?.1 {
        "py" | "pyw" => Some(Language::Python),
        "js" | "mjs" | "cjs" | "jsx" => Some(Language::Javascript),
        "ts" | "mts" | "cts" | "tsx" if !name.ends_with(".d.ts") => Some(Language::Typescript),
        "go" => Some(Language::Go),
        "rs" => Some(Language::Rust),
        _ => None,
    }
}

fn is_settings(path: &str) -> bool {
    const LOCKS: &[&str] =
        &["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "tsconfig.json"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let example = ["example", "sample", "template", "schema"].iter().any(|w| name.contains(w));
    let env = name == ".env" || name.starts_with(".env.");
    let ending = name.rsplit_once('.').is_some_and(|(_, e)| SETTINGS.contains(&e));
    (env || ending) && !example && !LOCKS.contains(&name)
}

fn is_test(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let marked = [".test.", ".spec.", ".stories."].iter().any(|m| name.contains(m));
    let named = stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest";
    marked || named || parts.any(|dir| TESTS.contains(&dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_told_from_tests_settings_and_the_rest() {
        assert_eq!(language("src/index.ts"), Some(Language::Typescript));
        assert_eq!(language("src/index.d.ts"), None);
        assert!(is_test("tests/server.py") && is_test("src/a.test.ts") && is_test("x_test.go"));
        assert!(!is_test("src/latest.py") && !is_test("contest/main.go"));
        assert!(is_settings(".env") && is_settings("conf/app.yaml"));
        assert!(!is_settings(".env.example") && !is_settings("package-lock.json"));
    }
}
