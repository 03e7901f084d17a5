//! Which of the user's files a command line and its settings name.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The system's own; nobody keeps work there.
const SYSTEM: &[&str] =
    &["/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr"];
/// Where everybody's work lies; never one person's project.
const CROSSROADS: &[&str] = &["/", "/home", "/mnt", "/opt", "/root", "/srv", "/tmp", "/var"];
/// Variables that name programs and libraries.
const CODE_PATHS: &[&str] =
    &["GOPATH", "LD_LIBRARY_PATH", "NODE_PATH", "PATH", "PYTHONPATH", "VIRTUAL_ENV"];

/// Something of the user's that a server is told to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::isolate) struct Wanted {
    /// Canonical.
    pub path: PathBuf,
    /// For a file that is no use without writing beside it.
    pub with_parent: Option<PathBuf>,
    /// Why it can't have a copy.
    pub barred: Option<&'static str>,
}

impl Wanted {
    /// Whether it is a folder to work in, not a single file.
    pub(super) fn is_ground(&self) -> bool {
        self.path.is_dir()
    }
}

/// What the search depends on.
#[derive(Debug)]
pub(in crate::isolate) struct Ground<'a> {
    pub program: &'a Path,
    pub args: &'a [OsString],
    /// What the user sets.
    pub env: &'a BTreeMap<String, String>,
    pub cwd: &'a Path,
    pub home: &'a Path,
    /// Ours: scratch area, cache, the program that confines.
    pub own: Vec<&'a Path>,
}

/// Outer folders come before what lies in them.
pub(in crate::isolate) fn wanted(ground: &Ground<'_>) -> Vec<Wanted> {
    let paths = ground.paths();
    let programs = ground.programs(&paths);
    let mut found: Vec<Wanted> =
        paths.iter().filter_map(|path| ground.judge(path, &programs)).collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.dedup();
    found
}

impl Ground<'_> {
    /// Every absolute path that is named, existing or not.
    fn paths(&self) -> Vec<PathBuf> {
        let named = self.args.iter().filter_map(|a| a.to_str()).map(|a| match a.split_once('=') {
            Some((name, value)) if name.starts_with('-') => value,
            Some(_) | None => a,
        });
        let set = self.env.iter().filter(|(name, _)| !CODE_PATHS.contains(&name.as_str()));
        let values = named.chain(set.map(|(_, value)| value.as_str()));
        let pathlike = |v: &&str| v.contains(['/', '.']) && !v.contains("://") && v.len() < 4096;
        values.filter(pathlike).map(|v| self.cwd.join(v)).chain([self.cwd.to_owned()]).collect()
    }

    /// The program, and files that look like one: scripts are given to an interpreter.
    fn programs(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let scripts = paths.iter().filter(|p| is_code(p));
        [self.program.to_owned()]
            .iter()
            .chain(scripts)
            .flat_map(|p| [Some(p.clone()), p.canonicalize().ok()])
            .flatten()
            .collect()
    }

    fn judge(&self, path: &Path, programs: &[PathBuf]) -> Option<Wanted> {
        let parent = || path.parent().and_then(|p| p.canonicalize().ok());
        let real = match path.canonicalize() {
            Ok(real) => real,
            // A file to be made: its folder must be writable.
            Err(_) if path.extension().is_some() => parent()?.join(path.file_name()?),
            Err(_) => return None,
        };
        let ours = self.own.iter().any(|own| real.starts_with(own));
        let system = SYSTEM.iter().any(|dir| real.starts_with(dir));
        if ours || system || programs.contains(&real) || is_code(&real) {
            return None;
        }
        if real.is_dir() {
            let barred = self.barred(&real, programs);
            return Some(Wanted { path: real, with_parent: None, barred });
        }
        let plain = real.symlink_metadata().map_or(true, |m| m.is_file());
        let with_parent = (!real.exists() || is_database(&real))
            .then(|| real.parent().map(Path::to_owned))
            .flatten()
            .filter(|dir| self.barred(dir, programs).is_none());
        plain.then_some(Wanted { path: real, with_parent, barred: None })
    }

    /// Why a folder is none that could be copied.
    fn barred(&self, dir: &Path, programs: &[PathBuf]) -> Option<&'static str> {
        let home = self.home.canonicalize().unwrap_or_else(|_| self.home.to_owned());
        if home.starts_with(dir) {
            return Some("the home directory is in it");
        }
        if CROSSROADS.iter().any(|place| dir == Path::new(place))
            || self.own.iter().any(|own| own.starts_with(dir))
        {
            return Some("it is a place that everybody shares");
        }
        programs.iter().any(|p| p.starts_with(dir)).then_some("the server's own program is in it")
    }
}

fn is_code(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let script = matches!(
        ending,
        "js" | "mjs" | "cjs" | "ts" | "py" | "pyz" | "jar" | "dll" | "sh" | "rb" | "php" | "exe"
    );
    let executable = |p: &Path| {
        use nix::unistd::{AccessFlags, access};
        p.is_file() && access(p, AccessFlags::X_OK).is_ok()
    };
    (script && path.is_file()) || executable(path)
}

fn is_database(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let mut start = [0; 15];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    (read.is_ok() && &start == b"SQLite format 3")
        || matches!(ending, "db" | "db3" | "duckdb" | "sqlite" | "sqlite3")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Place {
            let place = Place(tempfile::tempdir().unwrap());
            fs::create_dir_all(place.at("ann/project/dist")).unwrap();
            fs::create_dir_all(place.at("ann/papers")).unwrap();
            fs::write(place.at("ann/project/dist/index.js"), "").unwrap();
            fs::write(place.at("ann/papers/store.db"), "SQLite format 3\0").unwrap();
            fs::write(place.at("ann/memory.json"), "{}").unwrap();
            place
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn wanted(&self, args: &[&str], env: &[(&str, &str)]) -> Vec<Wanted> {
            let full = |v: &str| v.replace('~', &self.at("ann").to_string_lossy());
            let args: Vec<OsString> = args.iter().map(|a| full(a).into()).collect();
            let env = env.iter().map(|(k, v)| ((*k).to_owned(), full(v))).collect();
            let (home, scratch) = (self.at("ann"), self.at("scratch"));
            fs::create_dir_all(&scratch).unwrap();
            wanted(&Ground {
                program: Path::new("/usr/bin/node"),
                args: &args,
                env: &env,
                cwd: &scratch,
                home: &home,
                own: vec![&scratch],
            })
        }
    }

    #[test]
    fn folders_and_files_are_found_in_arguments_flags_and_variables() {
        let place = Place::new();
        let found = place.wanted(
            &["~/project/dist/index.js", "--root=~/papers", "-v", "stdio"],
            &[("MEMORY_FILE_PATH", "~/memory.json"), ("PYTHONPATH", "~/project")],
        );
        let paths: Vec<PathBuf> = found.iter().map(|w| w.path.clone()).collect();
        assert_eq!(paths, [place.at("ann/memory.json"), place.at("ann/papers")]);
        assert!(found.iter().all(|w| w.barred.is_none() && w.with_parent.is_none()));
    }

    #[test]
    fn home_and_the_servers_own_folder_are_barred_and_the_system_is_nobodys() {
        let place = Place::new();
        let found = place.wanted(
            &["~/project/dist/index.js", "~/project", "~", "/etc/hosts", "/usr/share", "/"],
            &[],
        );
        let said: Vec<(PathBuf, &str)> =
            found.into_iter().map(|w| (w.path, w.barred.unwrap())).collect();
        assert_eq!(
            said,
            [
                (PathBuf::from("/"), "the home directory is in it"),
                (place.at("ann"), "the home directory is in it"),
                (place.at("ann/project"), "the server's own program is in it"),
            ]
        );
    }

    #[test]
    fn a_database_and_a_file_to_be_made_need_the_folder_around_them() {
        let place = Place::new();
        let papers = Some(place.at("ann/papers"));
        let found = place.wanted(&["--db-path", "~/papers/store.db", "~/papers/new.sqlite"], &[]);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|w| w.with_parent == papers), "{found:?}");
        let at_home = place.wanted(&["--db-path", "~/new.db"], &[]);
        assert_eq!(at_home[0].with_parent, None);
    }
}
