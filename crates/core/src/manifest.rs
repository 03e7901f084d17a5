//! Manifests by which a server is published: an MCPB bundle (`manifest.json`), an entry of the MCP
//! registry (`server.json`), a package of npm or PyPI. What they say, and what is wrong with it.

use serde_json::Value;

use crate::evidence::{Document, Source};

/// What kind of manifest a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bundle,
    Registry,
    Npm,
    Python,
}

/// A manifest that could be read.
#[derive(Debug, Clone)]
pub struct Manifest<'a> {
    pub kind: Kind,
    pub path: &'a str,
    value: Value,
}

/// Something wrong, and whether it can't be published like that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub says: String,
    pub grave: bool,
}

/// All manifests of a source; `Err` names those that can't be read.
pub fn manifests(source: &Source) -> Vec<Result<Manifest<'_>, (&str, String)>> {
    source.manifests.iter().filter_map(read).collect()
}

fn read(document: &Document) -> Option<Result<Manifest<'_>, (&str, String)>> {
    let path = document.path.as_str();
    let value: Result<Value, String> = match path {
        "pyproject.toml" => toml::from_str(&document.text)
            .map_err(|e: toml::de::Error| format!("it is no TOML: {}", e.message())),
        _ => serde_json::from_str(&document.text).map_err(|e| format!("it is no JSON: {e}")),
    };
    let value = match value {
        Ok(value) => value,
        Err(why) => return Some(Err((path, why))),
    };
    let kind = match path {
        "package.json" => Kind::Npm,
        "pyproject.toml" if value.get("project").is_some() => Kind::Python,
        // Others use the name for other things: a server entry makes it ours.
        "server.json" if has(&value, &["packages", "remotes", "$schema"]) => Kind::Registry,
        "manifest.json" if has(&value, &["dxt_version", "mcp_config"]) => Kind::Bundle,
        "manifest.json" if value.get("server").is_some_and(Value::is_object) => Kind::Bundle,
        _ => return None,
    };
    Some(Ok(Manifest { kind, path, value }))
}

fn has(value: &Value, keys: &[&str]) -> bool {
    keys.iter().any(|key| value.get(*key).is_some())
}

impl Manifest<'_> {
    pub fn text(&self, key: &str) -> Option<&str> {
        let root = match self.kind {
            Kind::Python => self.value.get("project")?,
            Kind::Bundle | Kind::Registry | Kind::Npm => &self.value,
        };
        root.get(key)?.as_str().filter(|text| !text.trim().is_empty())
    }

    pub fn at(&self, pointer: &str) -> Option<&Value> {
        self.value.pointer(pointer)
    }

    /// Tools that a bundle names; `None` if it leaves them to the running server.
    pub fn tools(&self) -> Option<Vec<&str>> {
        let listed = self.value.get("tools")?.as_array()?;
        let generated = self.value.get("tools_generated").and_then(Value::as_bool);
        let names = listed.iter().filter_map(|t| t.get("name")?.as_str()).collect();
        (self.kind == Kind::Bundle && generated != Some(true)).then_some(names)
    }

    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        match self.kind {
            Kind::Bundle => self.bundle(&mut faults),
            Kind::Registry => self.registry(&mut faults),
            // What is private is never published.
            Kind::Npm if self.at("/private") == Some(&Value::Bool(true)) => {}
            Kind::Npm => self.require(&["name", "version"], &mut faults),
            Kind::Python => {
                let dynamic = self.at("/project/dynamic").and_then(Value::as_array);
                let computed = dynamic.is_some_and(|d| d.iter().any(|v| v == "version"));
                self.require(if computed { &["name"] } else { &["name", "version"] }, &mut faults);
            }
        }
        faults
    }

    fn require(&self, keys: &[&str], faults: &mut Vec<Fault>) {
        let missing = keys.iter().filter(|key| self.text(key).is_none());
        faults.extend(missing.map(|key| grave(format!("`{key}` is missing"))));
        let Some(version) = self.text("version") else { return };
        if self.kind != Kind::Python && semver::Version::parse(version).is_err() {
            faults.push(grave(format!("version \"{version}\" is not of the form 1.2.3")));
        }
    }

    fn bundle(&self, faults: &mut Vec<Fault>) {
        self.require(&["name", "version", "description"], faults);
        if !has(&self.value, &["manifest_version", "dxt_version"]) {
            faults.push(grave("`manifest_version` is missing".to_owned()));
        }
        if self.at("/author/name").and_then(Value::as_str).is_none() {
            faults.push(grave("`author.name` is missing".to_owned()));
        }
        match self.at("/server/type").and_then(Value::as_str) {
            Some("node" | "python" | "binary" | "uv") => {}
            Some(other) => faults.push(grave(format!("server type \"{other}\" is not known"))),
            None => faults.push(grave("`server.type` is missing".to_owned())),
        }
        let entry = self.at("/server/entry_point").and_then(Value::as_str);
        if entry.is_none() {
            faults.push(grave("`server.entry_point` is missing".to_owned()));
        }
        let config = self.at("/server/mcp_config").or_else(|| self.at("/mcp_config"));
        let command = config.and_then(|c| c.get("command")?.as_str());
        if command.is_none() {
            faults.push(grave("`server.mcp_config.command` is missing".to_owned()));
        }
        let args = config.and_then(|c| c.get("args")?.as_array()).into_iter().flatten();
        let paths = entry.into_iter().chain(command).chain(args.filter_map(Value::as_str));
        faults.extend(
            paths
                .filter(|p| is_absolute(p))
                .map(|p| grave(format!("\"{p}\" lies on the author's machine"))),
        );
        for key in ["repository", "license", "icon"] {
            if self.at(&format!("/{key}")).is_none() {
                faults.push(Fault { says: format!("`{key}` is not given"), grave: false });
            }
        }
    }

    fn registry(&self, faults: &mut Vec<Fault>) {
        self.require(&["name", "description", "version"], faults);
        if let Some(name) = self.text("name")
            && !name
                .split_once('/')
                .is_some_and(|(space, rest)| space.contains('.') && !rest.is_empty())
        {
            faults
                .push(grave(format!("name \"{name}\" is not of the form io.github.owner/server")));
        }
        if self.text("description").is_some_and(|d| d.chars().count() > 100) {
            faults.push(grave("`description` is longer than 100 characters".to_owned()));
        }
        let list = |key: &str| self.value.get(key).and_then(Value::as_array).into_iter().flatten();
        let lacks = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).is_none();
        if list("packages").next().is_none() && list("remotes").next().is_none() {
            faults.push(grave("neither `packages` nor `remotes` says how to run it".to_owned()));
        }
        for (item, keys) in list("packages")
            .map(|p| (p, ["registryType", "identifier"]))
            .chain(list("remotes").map(|r| (r, ["type", "url"])))
        {
            let missing = keys.iter().filter(|key| lacks(item, key));
            faults.extend(
                missing.map(|key| grave(format!("`{key}` of a package or remote is missing"))),
            );
        }
    }
}

fn grave(says: String) -> Fault {
    Fault { says, grave: true }
}

fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.contains('\\');
    drive
        || ["/home/", "/Users/", "/usr/local/", "/opt/"].iter().any(|start| path.starts_with(start))
}
