//! Package launchers: commands that fetch and start a server, and what they need for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::environment::Outer;

/// Which launcher a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launcher {
    /// npx, npm, pnpm, yarn.
    Npm,
    /// uvx, uv.
    Uv,
    /// pipx, pip.
    Pip,
    /// bunx, bun.
    Bun,
    Deno,
    /// docker, podman: the server runs where the daemon puts it.
    Container,
}

/// Registry, certificate and proxy settings that no launcher can do without on some networks.
const NETWORK: &[&str] = &[
    "ALL_PROXY",
    "CURL_CA_BUNDLE",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "NO_PROXY",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

impl Launcher {
    pub fn of(command: &str, args: &[String]) -> Option<Launcher> {
        let name = Path::new(command).file_name()?.to_str()?;
        let module = |args: &[String]| match args {
            [flag, module, ..] if flag == "-m" => Launcher::named(module),
            [] | [_, ..] => None,
        };
        if name.starts_with("python") || name == "py" {
            module(args)
        } else {
            Launcher::named(name)
        }
    }

    fn named(name: &str) -> Option<Launcher> {
        match name {
            "npx" | "npm" | "pnpm" | "pnpx" | "yarn" => Some(Launcher::Npm),
            "uvx" | "uv" => Some(Launcher::Uv),
            "pipx" | "pip" | "pip3" => Some(Launcher::Pip),
            "bunx" | "bun" => Some(Launcher::Bun),
            "deno" => Some(Launcher::Deno),
            "docker" | "podman" | "nerdctl" => Some(Launcher::Container),
            _ => None,
        }
    }

    /// The variables of the user's own environment that it keeps.
    pub(super) fn keeps(self, name: &str) -> bool {
        let prefixes: &[&str] = match self {
            Launcher::Npm => &["npm_config_", "NPM_CONFIG_", "COREPACK_"],
            Launcher::Uv => &["UV_", "PIP_"],
            Launcher::Pip => &["PIP_", "PIPX_"],
            Launcher::Bun => &["BUN_", "npm_config_", "NPM_CONFIG_"],
            Launcher::Deno => &["DENO_", "NPM_CONFIG_"],
            Launcher::Container => &["DOCKER_", "CONTAINER_", "BUILDKIT_"],
        };
        NETWORK.contains(&name)
            || prefixes.iter().any(|p| name.starts_with(p))
            || (self == Launcher::Container && name == "XDG_RUNTIME_DIR")
    }

    /// Settings that lead it to the user's configuration and to our cache.
    pub(super) fn settings(self, outer: &Outer, cache: Option<&Path>) -> BTreeMap<String, String> {
        let mut settings = BTreeMap::new();
        for (name, files) in self.configuration() {
            let file = files.iter().map(|f| outer.home.join(f)).find(|f| f.is_file());
            if let Some(file) = file {
                settings.insert((*name).to_owned(), file.to_string_lossy().into_owned());
            }
        }
        for (name, part) in self.caches() {
            if let Some(cache) = cache {
                let dir = cache.join(part);
                settings.insert((*name).to_owned(), dir.to_string_lossy().into_owned());
            }
        }
        if self == Launcher::Npm {
            for quiet in ["audit", "fund", "update_notifier"] {
                settings.insert(format!("npm_config_{quiet}"), "false".to_owned());
            }
        }
        settings
    }

    fn configuration(self) -> &'static [(&'static str, &'static [&'static str])] {
        match self {
            Launcher::Npm | Launcher::Bun | Launcher::Deno => {
                &[("npm_config_userconfig", &[".npmrc"])]
            }
            Launcher::Uv => &[("UV_CONFIG_FILE", &[".config/uv/uv.toml"])],
            Launcher::Pip => &[("PIP_CONFIG_FILE", &[".config/pip/pip.conf", ".pip/pip.conf"])],
            Launcher::Container => &[],
        }
    }

    fn caches(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Launcher::Npm => &[("npm_config_cache", "npm"), ("YARN_CACHE_FOLDER", "yarn")],
            Launcher::Uv => &[
                ("UV_CACHE_DIR", "uv/cache"),
                ("UV_PYTHON_INSTALL_DIR", "uv/python"),
                ("UV_TOOL_DIR", "uv/tools"),
                ("UV_TOOL_BIN_DIR", "uv/bin"),
            ],
            Launcher::Pip => {
                &[("PIPX_BIN_DIR", "pipx/bin"), ("PIPX_HOME", "pipx"), ("PIP_CACHE_DIR", "pip")]
            }
            Launcher::Bun => &[("BUN_INSTALL_CACHE_DIR", "bun")],
            Launcher::Deno => &[("DENO_DIR", "deno")],
            Launcher::Container => &[],
        }
    }

    /// Whether it downloads into a cache that later runs use again.
    pub(super) fn has_cache(self) -> bool {
        !self.caches().is_empty()
    }
}

/// The one place outside the scratch area that a run may write to, and only through a launcher.
pub fn launcher_cache() -> PathBuf {
    cache_dir(&Outer::current())
}

pub(super) fn cache_dir(outer: &Outer) -> PathBuf {
    let base = outer.vars.get("XDG_CACHE_HOME").filter(|d| Path::new(d).is_absolute());
    let base = base.map_or_else(|| outer.home.join(".cache"), PathBuf::from);
    base.join("proofmark/launchers")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<Launcher> {
        let mut words = line.split(' ').map(str::to_owned);
        let command = words.next().unwrap();
        Launcher::of(&command, &words.collect::<Vec<_>>())
    }

    #[test]
    fn launchers_are_known_by_name_wherever_they_are_installed() {
        assert_eq!(of("npx -y server"), Some(Launcher::Npm));
        assert_eq!(of("/opt/node/bin/npx -y server"), Some(Launcher::Npm));
        assert_eq!(of("uvx mcp-server-time"), Some(Launcher::Uv));
        assert_eq!(of("python3 -m pipx run x"), Some(Launcher::Pip));
        assert_eq!(of("docker run -i image"), Some(Launcher::Container));
    }

    #[test]
    fn an_ordinary_program_is_no_launcher() {
        for line in ["node dist/index.js", "python3 server.py", "python -m my_server", "./npx-like"]
        {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
