//! A small git repository with the same history in every run.

use std::path::Path;
use std::process::{Command, Stdio};

use super::write;

/// Three commits on main and one on a branch: file, content, message, seconds since the epoch.
const MAIN: &[(&str, &str, &str, u64)] = &[
    ("README.md", "# Sample\n\nA small project.\n", "Add the readme", 1_704_103_200),
    ("app.py", "def greet(name):\n    return f\"Hello, {name}\"\n", "Greet by name", 1_704_189_600),
    ("README.md", "# Sample\n\nA small project that greets.\n", "Say what it does", 1_704_276_000),
];
const BRANCH: (&str, &str, &str, u64) =
    ("app.py", "def greet(name):\n    return f\"Hi, {name}!\"\n", "Greet warmly", 1_704_362_400);

const UNDER_WAY: &str = "# Sample\n\nA small project that greets.\n\nRun `python app.py`.\n";

pub(super) fn plant(dir: &Path) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|e| e.to_string())?;
    let outcome = history(dir);
    if outcome.is_err() {
        let _ = std::fs::remove_dir_all(dir);
    }
    outcome
}

fn history(dir: &Path) -> Result<(), String> {
    git(dir, 0, &["init", "--quiet", "--initial-branch=main", "--template="])?;
    // Tools that commit need an author; the server's home has no configuration.
    git(dir, 0, &["config", "user.name", "Sample Author"])?;
    git(dir, 0, &["config", "user.email", "author@example.com"])?;
    for step in MAIN {
        commit(dir, step)?;
    }
    git(dir, 0, &["checkout", "--quiet", "-b", "warmer"])?;
    commit(dir, &BRANCH)?;
    git(dir, 0, &["checkout", "--quiet", "main"])?;
    // As a clone has it: every process gets a copy, and a file for each object would be many.
    git(dir, 0, &["repack", "-a", "-d", "--quiet"])?;
    // Work under way: without it there is nothing to show, to stage or to commit.
    write(&dir.join("README.md"), UNDER_WAY).map_err(|e| e.to_string())
}

fn commit(dir: &Path, step: &(&str, &str, &str, u64)) -> Result<(), String> {
    let (file, content, message, at) = *step;
    write(&dir.join(file), content).map_err(|e| e.to_string())?;
    git(dir, at, &["add", file])?;
    git(dir, at, &["commit", "--quiet", "--no-verify", "-m", message])
}

fn git(dir: &Path, at: u64, args: &[&str]) -> Result<(), String> {
    let date = format!("@{at} +0000");
    let mut command = Command::new("git");
    command
        .args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false", "-c", "gc.auto=0"])
        .args(args)
        .current_dir(dir)
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .envs([
            ("GIT_AUTHOR_DATE", date.as_str()),
            ("GIT_COMMITTER_DATE", date.as_str()),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_DEFAULT_HASH", "sha1"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("HOME", "/nonexistent"),
            ("LC_ALL", "C"),
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let out = command.output().map_err(|e| format!("git can't be run: {e}"))?;
    if out.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    Err(format!("git {}: {}", args[0], said.lines().next().unwrap_or("failed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(dir: &Path, args: &[&str]) -> String {
        let out = Command::new("git").args(args).current_dir(dir).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn the_history_has_the_same_hashes_everywhere() {
        let scratch = crate::isolate::Scratch::new().unwrap();
        let repo = scratch.workspace().join("repo");
        if Command::new("git").arg("--version").output().is_err() {
            assert!(plant(&repo).unwrap_err().starts_with("git can't be run"));
            return;
        }
        plant(&repo).unwrap();
        assert_eq!(ask(&repo, &["rev-parse", "main"]), MAIN_HASH);
        assert_eq!(ask(&repo, &["rev-parse", "warmer"]), WARMER_HASH);
        assert_eq!(ask(&repo, &["rev-list", "--count", "main"]), "3");
        assert_eq!(ask(&repo, &["branch", "--show-current"]), "main");
        assert_eq!(ask(&repo, &["status", "--porcelain"]), "M README.md");
    }

    const MAIN_HASH: &str = "4381bcf3a357cf5c02530ae05a306baa322f8f93";
    const WARMER_HASH: &str = "ad1bb763ae837f668643afa91ee1f595326c208e";
}
