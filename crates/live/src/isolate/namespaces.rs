//! Bubblewrap: the server sees a read-only machine, its own processes and none of the user's
//! secrets.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::environment::Outer;
use super::scratch::Scratch;

/// Below the user's home: what holds credentials, history or mail.
const PRIVATE: &[&str] = &[
    ".aws",
    ".azure",
    ".bash_history",
    ".boto",
    ".cargo/credentials.toml",
    ".claude",
    ".claude.json",
    ".codex",
    ".config/BraveSoftware",
    ".config/Claude",
    ".config/chromium",
    ".config/doctl",
    ".config/gcloud",
    ".config/gh",
    ".config/google-chrome",
    ".config/microsoft-edge",
    ".config/op",
    ".config/rclone",
    ".cursor",
    ".docker",
    ".gem/credentials",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".mozilla",
    ".my.cnf",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".python_history",
    ".s3cfg",
    ".ssh",
    ".terraform.d",
    ".thunderbird",
    ".vault-token",
    ".zsh_history",
];

/// Shared places: anyone's temporary files, and sockets through which a daemon does one's bidding.
const SHARED: &[&str] = &[
    "/tmp",
    "/var/tmp",
    "/run/containerd",
    "/run/crio",
    "/run/dbus",
    "/run/docker.sock",
    "/run/podman",
    "/run/snapd.socket",
    "/run/user",
];

/// The fence around one server.
#[derive(Debug)]
pub(super) struct Fence {
    /// bwrap and its options, up to and without the `--`.
    pub words: Vec<OsString>,
    /// What was hidden of the user's home, as `~/…`.
    pub hidden: Vec<String>,
}

/// `needs` are paths without which the server would not start; they stay visible even where
/// their surroundings are hidden.
pub(super) fn fence(
    bwrap: &Path,
    outer: &Outer,
    scratch: &Scratch,
    cache: Option<&Path>,
    cwd: &Path,
    needs: &[PathBuf],
) -> Fence {
    let mut words = Words::opening(bwrap);
    let mut back = BTreeSet::new();
    for place in SHARED.iter().filter_map(|p| Path::new(p).canonicalize().ok()) {
        words.mask(&place);
        back.extend(needs.iter().filter_map(|n| child_towards(&place, n)));
    }
    let mut hidden = Vec::new();
    for name in PRIVATE {
        let Ok(place) = outer.home.join(name).canonicalize() else { continue };
        if needs.contains(&place) {
            continue;
        }
        words.mask(&place);
        hidden.push(format!("~/{name}"));
        back.extend(needs.iter().filter_map(|n| child_towards(&place, n)));
    }
    for path in back.iter().filter(|p| !p.starts_with(scratch.root())) {
        words.bind("--ro-bind", path);
    }
    for path in cache.into_iter().chain([scratch.root()]) {
        words.bind("--bind", path);
    }
    words.add(["--chdir"]);
    words.0.push(cwd.into());
    Fence { words: words.0, hidden }
}

/// The entry of `place` below which `path` lies.
fn child_towards(place: &Path, path: &Path) -> Option<PathBuf> {
    let rest = path.strip_prefix(place).ok()?;
    rest.components().next().map(|first| place.join(first))
}

struct Words(Vec<OsString>);

impl Words {
    fn opening(bwrap: &Path) -> Words {
        let mut words = Words(vec![bwrap.into()]);
        for flag in ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts"] {
            words.add([flag]);
        }
        words.add(["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
        // Root owns the kernel's switches in /proc/sys, capabilities or not.
        if nix::unistd::geteuid().is_root() {
            words.add(["--remount-ro", "/proc"]);
        }
        words
    }

    fn add<const N: usize>(&mut self, words: [&str; N]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn bind(&mut self, how: &str, path: &Path) {
        self.0.extend([how.into(), path.into(), path.into()]);
    }

    fn mask(&mut self, place: &Path) {
        if place.is_dir() {
            self.0.extend(["--tmpfs".into(), place.into()]);
        } else {
            self.0.extend(["--ro-bind".into(), "/dev/null".into(), place.into()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn text(fence: &Fence) -> String {
        fence.words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn secrets_are_hidden_unless_the_server_is_one_of_them() {
        let scratch = Scratch::new().unwrap();
        let home = scratch.root().join("ann");
        for dir in [".ssh", ".docker/bin", ".pyenv"] {
            fs::create_dir_all(home.join(dir)).unwrap();
        }
        fs::write(home.join(".netrc"), "").unwrap();
        fs::write(home.join(".npmrc"), "").unwrap();
        let outer = Outer { home: home.clone(), ..Outer::default() };
        let needs = [home.join(".docker/bin/tool"), home.join(".npmrc")];
        let fence = fence(Path::new("bwrap"), &outer, &scratch, None, Path::new("/"), &needs);
        assert_eq!(fence.hidden, ["~/.docker", "~/.netrc", "~/.ssh"]);
        let text = text(&fence);
        assert!(text.contains(&format!("--tmpfs {}/.ssh", home.display())), "{text}");
        assert!(text.contains(&format!("--ro-bind /dev/null {}/.netrc", home.display())), "{text}");
        assert!(!text.contains(".pyenv"), "{text}");
    }

    #[test]
    fn a_server_below_a_hidden_directory_stays_visible() {
        let needs = [PathBuf::from("/tmp/project/dist/index.js")];
        let scratch = Scratch::new().unwrap();
        let outer = Outer { home: scratch.home(), ..Outer::default() };
        let fence = fence(Path::new("bwrap"), &outer, &scratch, None, Path::new("/"), &needs);
        let text = text(&fence);
        assert!(text.contains("--ro-bind /tmp/project /tmp/project"), "{text}");
        let root = scratch.root().display();
        assert!(text.contains(&format!("--bind {root} {root} --chdir /")), "{text}");
    }
}
