//! The fingerprint of the program behind a command: its own files, as far as the command line leads
//! to them. What a launcher fetches and what runs elsewhere has none.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use proofmark_core::target::Target;

use crate::isolate::Launcher;

/// A program with more than this is not looked through.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 512 << 20;
/// How far up from a script its package is looked for.
const CLIMB: usize = 6;
/// What marks the folder that a script belongs to.
const ROOTS: [&str; 4] = ["package.json", "pyproject.toml", "pyvenv.cfg", "setup.py"];
/// Neither history nor what tools leave behind, our own included, is part of a program.
const ASIDE: [&str; 4] = [".git", "__pycache__", ".proofmark", "proofmark-report"];
/// Programs that are nothing without a script.
const INTERPRETERS: [&str; 10] =
    ["node", "nodejs", "python", "ruby", "perl", "php", "bash", "sh", "tsx", "ts-node"];

/// `None` if it can't be told which files the program is made of.
pub(crate) fn fingerprint(target: &Target) -> Option<String> {
    let Target::Stdio { command, args, cwd, .. } = target else { return None };
    if Launcher::of(command, args).is_some() {
        return None;
    }
    let here = cwd.as_ref().map_or_else(|| PathBuf::from("."), PathBuf::from);
    let program = find(command)?;
    let mut sum = Sum { hasher: blake3::Hasher::new(), files: 0, bytes: 0 };
    sum.belongings(&program).ok()?;
    if is_interpreter(command) {
        let script = args.iter().find(|a| !a.starts_with('-')).map(|a| here.join(a));
        sum.belongings(&script.filter(|s| s.is_file())?).ok()?;
    }
    Some(sum.hasher.finalize().to_hex()[..32].to_owned())
}

fn is_interpreter(command: &str) -> bool {
    let name = Path::new(command).file_name().and_then(|n| n.to_str()).unwrap_or_default();
    INTERPRETERS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// The file that a command stands for, links followed.
fn find(command: &str) -> Option<PathBuf> {
    let named = Path::new(command);
    let mut places: Vec<PathBuf> = vec![named.to_owned()];
    if named.components().count() == 1 {
        let path = std::env::var_os("PATH")?;
        places = std::env::split_paths(&path).map(|dir| dir.join(named)).collect();
    }
    places.into_iter().find(|p| p.is_file())?.canonicalize().ok()
}

struct Sum {
    hasher: blake3::Hasher,
    files: usize,
    bytes: u64,
}

impl Sum {
    /// A compiled program is one file; a script is as good as the folder it belongs to.
    fn belongings(&mut self, file: &Path) -> io::Result<()> {
        let file = file.canonicalize()?;
        let mut start = [0; 2];
        let read = File::open(&file)?.read(&mut start)?;
        let is_text = read == 2 && start.iter().all(|b| (0x20..0x7f).contains(b) || *b == b'\n');
        match root(&file).filter(|_| is_text && &start != b"MZ") {
            Some(dir) => self.tree(&dir, &dir),
            None => self.file(&file, Path::new("")),
        }
    }

    fn tree(&mut self, root: &Path, dir: &Path) -> io::Result<()> {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(dir)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
        entries.sort();
        for path in entries {
            let kind = fs::symlink_metadata(&path)?.file_type();
            let aside = path.file_name().is_some_and(|n| ASIDE.iter().any(|a| n == *a));
            if kind.is_dir() && !aside {
                self.tree(root, &path)?;
            } else if kind.is_file() {
                self.file(&path, path.strip_prefix(root).unwrap_or(&path))?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        self.files += 1;
        self.bytes += file.metadata()?.len();
        if self.files > MOST_FILES || self.bytes > MOST_BYTES {
            return Err(io::Error::other("too large"));
        }
        self.hasher.update(name.to_string_lossy().as_bytes()).update(&[0]);
        io::copy(&mut file, &mut self.hasher).map(drop)
    }
}

/// The folder of the package; for one that was installed, all that was installed with it.
fn root(file: &Path) -> Option<PathBuf> {
    let above: Vec<&Path> = file.ancestors().skip(1).take(2 * CLIMB).collect();
    let installed = above.iter().rev().find(|dir| dir.ends_with("node_modules"));
    let environment = above.iter().find(|dir| dir.join("pyvenv.cfg").is_file());
    let own = || above.iter().take(CLIMB).find(|dir| ROOTS.iter().any(|r| dir.join(r).is_file()));
    installed.or(environment).or_else(own).map(|dir| dir.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(command: &Path, args: &[&str]) -> Target {
        Target::Stdio {
            command: command.display().to_string(),
            args: args.iter().map(|a| (*a).to_owned()).collect(),
            env: Default::default(),
            cwd: None,
        }
    }

    #[test]
    fn a_script_is_as_new_as_anything_in_its_package() {
        let dir = tempfile::tempdir().unwrap();
        let (script, other) = (dir.path().join("server.py"), dir.path().join("tools.py"));
        fs::write(dir.path().join("pyproject.toml"), "").unwrap();
        fs::write(&script, "import tools").unwrap();
        fs::write(&other, "A = 1").unwrap();
        let target = command(Path::new("sh"), &[&script.display().to_string()]);
        let before = fingerprint(&target);
        assert!(before.is_some());
        assert_eq!(fingerprint(&target), before);
        fs::write(&other, "A = 2").unwrap();
        assert_ne!(fingerprint(&target), before);
    }

    #[test]
    fn what_a_launcher_fetches_or_a_shell_is_told_has_no_fingerprint() {
        assert_eq!(fingerprint(&command(Path::new("npx"), &["-y", "some-server"])), None);
        assert_eq!(fingerprint(&command(Path::new("sh"), &["-c", "some-server"])), None);
        let url = Target::Http { url: "http://127.0.0.1/mcp".into(), headers: Default::default() };
        assert_eq!(fingerprint(&url), None);
    }
}
