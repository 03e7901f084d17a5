//! The environment a server is started with: what MCP clients pass on, a scratch home, and the
//! few settings without which its launcher or interpreter would not start.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::launcher::Launcher;
use super::scratch::Scratch;

/// The environment we ourselves run in.
#[derive(Debug, Clone, Default)]
pub(super) struct Outer {
    pub vars: BTreeMap<String, String>,
    /// The user's real home.
    pub home: PathBuf,
}

impl Outer {
    pub(super) fn current() -> Outer {
        let text = |s: std::ffi::OsString| s.into_string().ok();
        let vars = std::env::vars_os().filter_map(|(k, v)| Some((text(k)?, text(v)?))).collect();
        Outer { vars, home: std::env::home_dir().unwrap_or_else(|| PathBuf::from("/")) }
    }

    pub(super) fn path(&self) -> &str {
        self.vars.get("PATH").map_or("/usr/local/bin:/usr/bin:/bin", String::as_str)
    }
}

/// Version managers put small programs on the PATH that look for their own home.
const MANAGERS: &[(&str, &str)] = &[
    ("ASDF_DATA_DIR", ".asdf"),
    ("CARGO_HOME", ".cargo"),
    ("MISE_DATA_DIR", ".local/share/mise"),
    ("NVM_DIR", ".nvm"),
    ("PYENV_ROOT", ".pyenv"),
    ("RBENV_ROOT", ".rbenv"),
    ("RUSTUP_HOME", ".rustup"),
    ("VOLTA_HOME", ".volta"),
];

pub(super) fn compose(
    outer: &Outer,
    scratch: &Scratch,
    launcher: Option<Launcher>,
    cache: Option<&Path>,
    planted: &BTreeMap<String, String>,
    user: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut env = base(outer);
    env.extend(scratch_places(scratch));
    env.extend(managers(outer));
    if let Some(launcher) = launcher {
        env.extend(launcher.settings(outer, cache));
        for (name, value) in outer.vars.iter().filter(|(name, _)| launcher.keeps(name)) {
            // The user's own cache stands behind the fence; npm reads names in either case.
            let ours = env.iter().any(|(n, v)| n.eq_ignore_ascii_case(name) && under(v, cache));
            if !ours {
                env.insert(name.clone(), value.clone());
            }
        }
        if launcher == Launcher::Container {
            let config = outer.home.join(".docker").to_string_lossy().into_owned();
            env.entry("DOCKER_CONFIG".to_owned()).or_insert(config);
        }
    }
    env.extend(planted.clone());
    env.extend(user.clone());
    env
}

fn under(value: &str, dir: Option<&Path>) -> bool {
    dir.is_some_and(|d| Path::new(value).starts_with(d))
}

fn base(outer: &Outer) -> BTreeMap<String, String> {
    let mut env = BTreeMap::from([
        ("PATH".to_owned(), outer.path().to_owned()),
        ("TERM".to_owned(), "dumb".to_owned()),
        ("LANG".to_owned(), "C.UTF-8".to_owned()),
    ]);
    let kept = |name: &str| {
        matches!(name, "LANG" | "LANGUAGE" | "LOGNAME" | "SHELL" | "USER")
            || name.starts_with("LC_")
    };
    env.extend(outer.vars.iter().filter(|(n, _)| kept(n)).map(|(n, v)| (n.clone(), v.clone())));
    env
}

fn scratch_places(scratch: &Scratch) -> BTreeMap<String, String> {
    let home = scratch.home();
    [
        ("HOME", home.clone()),
        ("TMPDIR", scratch.tmp()),
        ("XDG_CACHE_HOME", home.join(".cache")),
        ("XDG_CONFIG_HOME", home.join(".config")),
        ("XDG_DATA_HOME", home.join(".local/share")),
        ("XDG_RUNTIME_DIR", scratch.run()),
        ("XDG_STATE_HOME", home.join(".local/state")),
    ]
    .into_iter()
    .map(|(name, path)| (name.to_owned(), path.to_string_lossy().into_owned()))
    .collect()
}

fn managers(outer: &Outer) -> BTreeMap<String, String> {
    let mut env: BTreeMap<String, String> = outer
        .vars
        .iter()
        .filter(|(n, _)| {
            n.starts_with("ASDF_")
                || n.starts_with("MISE_")
                || MANAGERS.iter().any(|(manager, _)| n == manager)
        })
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    for (name, dir) in MANAGERS {
        let dir = outer.home.join(dir);
        // rustup's own home is never on the PATH; its programs stand in cargo's.
        let sign = if *name == "RUSTUP_HOME" { outer.home.join(".cargo") } else { dir.clone() };
        let used = std::env::split_paths(outer.path()).any(|entry| entry.starts_with(&sign));
        if used && dir.is_dir() {
            env.entry((*name).to_owned()).or_insert_with(|| dir.to_string_lossy().into_owned());
        }
    }
    env
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outer(pairs: &[(&str, &str)]) -> Outer {
        let vars = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Outer { vars, home: PathBuf::from("/home/ann") }
    }

    fn none() -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    #[test]
    fn secrets_of_the_user_stay_with_the_user() {
        let scratch = Scratch::new().unwrap();
        let outer = outer(&[
            ("PATH", "/bin"),
            ("LANG", "de_DE.UTF-8"),
            ("AWS_SECRET_ACCESS_KEY", "s"),
            ("GITHUB_TOKEN", "s"),
            ("SSH_AUTH_SOCK", "/run/agent"),
            ("npm_config_registry", "http://localhost"),
        ]);
        let env = compose(&outer, &scratch, None, None, &none(), &none());
        let names: Vec<&str> = env.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "HOME",
                "LANG",
                "PATH",
                "TERM",
                "TMPDIR",
                "XDG_CACHE_HOME",
                "XDG_CONFIG_HOME",
                "XDG_DATA_HOME",
                "XDG_RUNTIME_DIR",
                "XDG_STATE_HOME",
            ]
        );
        assert_eq!(env["LANG"], "de_DE.UTF-8");
        assert_eq!(env["HOME"], scratch.home().to_string_lossy());
    }

    #[test]
    fn a_launcher_keeps_its_registry_and_gets_our_cache() {
        let scratch = Scratch::new().unwrap();
        let outer = outer(&[
            ("PATH", "/bin"),
            ("npm_config_registry", "http://localhost"),
            ("NPM_CONFIG_CACHE", "/home/ann/.npm"),
            ("HTTPS_PROXY", "http://proxy"),
            ("PIP_INDEX_URL", "http://pip"),
        ]);
        let cache = Path::new("/home/ann/.cache/proofmark/launchers");
        let env = compose(&outer, &scratch, Some(Launcher::Npm), Some(cache), &none(), &none());
        assert_eq!(env["npm_config_registry"], "http://localhost");
        assert_eq!(env["npm_config_cache"], "/home/ann/.cache/proofmark/launchers/npm");
        assert_eq!(env["HTTPS_PROXY"], "http://proxy");
        assert!(!env.contains_key("NPM_CONFIG_CACHE"));
        assert!(!env.contains_key("PIP_INDEX_URL"));
    }

    #[test]
    fn what_the_user_says_wins_over_all() {
        let scratch = Scratch::new().unwrap();
        let pair = |k: &str, v: &str| BTreeMap::from([(k.to_owned(), v.to_owned())]);
        let planted = pair("HOME", "/planted");
        let env = compose(&outer(&[]), &scratch, None, None, &planted, &pair("HOME", "/chosen"));
        assert_eq!(env["HOME"], "/chosen");
        let env = compose(&outer(&[]), &scratch, None, None, &planted, &none());
        assert_eq!(env["HOME"], "/planted");
    }

    #[test]
    fn a_version_manager_on_the_path_finds_its_home() {
        let scratch = Scratch::new().unwrap();
        let home = scratch.root().join("ann");
        std::fs::create_dir_all(home.join(".pyenv/shims")).unwrap();
        let path = format!("{}/.pyenv/shims:/bin", home.display());
        let outer = Outer { vars: BTreeMap::from([("PATH".to_owned(), path)]), home };
        let env = compose(&outer, &scratch, None, None, &none(), &none());
        assert_eq!(env["PYENV_ROOT"], outer.home.join(".pyenv").to_string_lossy());
        assert!(!env.contains_key("VOLTA_HOME"));
    }
}
