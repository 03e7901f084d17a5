//! Servers from the configuration files of other programs: Claude Desktop, Cursor, VS Code.

mod jsonc;
mod variables;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use proofmark_core::target::Target;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::nearest::did_you_mean;
use variables::Variables;

/// One server as configuration files write it. What else they hold is their business.
#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(rename = "type", alias = "transport")]
    kind: Option<String>,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, Value>,
    #[serde(rename = "envFile")]
    env_file: Option<String>,
    cwd: Option<String>,
    #[serde(alias = "serverUrl", alias = "httpUrl")]
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

/// The server called `name`, or the only one there is.
pub(crate) fn server(path: &Path, name: Option<&str>) -> Result<Target> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .with_context(|| format!("can't read {shown}; --config takes a client's configuration"))?;
    let value = jsonc::parse(&text).map_err(|e| anyhow!("{shown}: {e}"))?;
    let servers = servers(&value).ok_or_else(|| {
        anyhow!("{shown}: no servers found; expected `mcpServers`, `servers`, or a server with `command` or `url`")
    })?;
    let (name, entry) = choose(path, &servers, name)?;
    let place = format!("{shown}: server `{name}`");
    let entry: Entry =
        serde_json::from_value(entry.clone()).map_err(|e| anyhow!("{place}: {e}"))?;
    target(entry, &Variables::of_file(path)).map_err(|e| anyhow!("{place}: {e:#}"))
}

/// The servers in the file, whatever shape it has.
fn servers(value: &Value) -> Option<BTreeMap<String, Value>> {
    let root = value.as_object()?;
    let nested = root.get("mcp").and_then(Value::as_object);
    let found = ["mcpServers", "servers", "mcp.servers", "context_servers"]
        .into_iter()
        .find_map(|key| root.get(key))
        .or_else(|| nested.and_then(|m| m.get("servers").or_else(|| m.get("mcpServers"))))
        .and_then(Value::as_object);
    let collect = |m: &Map<String, Value>| m.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    if let Some(map) = found {
        return Some(collect(map));
    }
    if is_server(value) {
        return Some(BTreeMap::from([("server".to_owned(), value.clone())]));
    }
    (!root.is_empty() && root.values().all(is_server)).then(|| collect(root))
}

fn is_server(value: &Value) -> bool {
    ["command", "url", "serverUrl", "httpUrl"]
        .iter()
        .any(|key| value.get(key).is_some_and(Value::is_string))
}

fn choose<'a>(
    path: &Path,
    servers: &'a BTreeMap<String, Value>,
    name: Option<&'a str>,
) -> Result<(&'a str, &'a Value)> {
    let names: Vec<&str> = servers.keys().map(String::as_str).collect();
    let list = names.join(", ");
    match (name, servers.iter().next()) {
        (_, None) => bail!("{}: the list of servers is empty", path.display()),
        (Some(name), Some(_)) => match servers.get(name) {
            Some(entry) => Ok((name, entry)),
            None => bail!(
                "{}: no server `{name}`{}; there are: {list}",
                path.display(),
                did_you_mean(name, names.iter().copied())
            ),
        },
        (None, Some((only, entry))) if servers.len() == 1 => Ok((only, entry)),
        (None, Some(_)) => {
            bail!("{}: which server? choose one with --server: {list}", path.display())
        }
    }
}

fn target(entry: Entry, variables: &Variables) -> Result<Target> {
    let kind = entry.kind.as_deref().map(str::to_ascii_lowercase);
    match (&entry.command, &entry.url) {
        (Some(_), Some(_)) => bail!("has both `command` and `url`; keep one"),
        (None, None) => bail!("has neither `command` nor `url`; give it one"),
        (Some(command), None) => {
            if let Some(kind) = kind.filter(|k| k != "stdio") {
                bail!("has a `command`, but type `{kind}`; expected stdio");
            }
            started(command, &entry, variables)
        }
        (None, Some(url)) => reached(url, kind.as_deref(), &entry, variables),
    }
}

fn started(command: &str, entry: &Entry, variables: &Variables) -> Result<Target> {
    let mut env = BTreeMap::new();
    if let Some(file) = &entry.env_file {
        env = variables.env_file(file)?;
    }
    for (name, value) in &entry.env {
        env.insert(name.clone(), variables.expand(&scalar(name, value)?)?);
    }
    let args = entry.args.iter().map(|a| variables.expand(a)).collect::<Result<_>>()?;
    let cwd = entry.cwd.as_ref().map(|d| variables.expand(d)).transpose()?;
    Ok(Target::Stdio { command: variables.expand(command)?, args, env, cwd })
}

fn reached(url: &str, kind: Option<&str>, entry: &Entry, variables: &Variables) -> Result<Target> {
    let url = variables.expand(url)?;
    let headers = entry
        .headers
        .iter()
        .map(|(k, v)| Ok((k.clone(), variables.expand(v)?)))
        .collect::<Result<_>>()?;
    match kind {
        Some("sse") => Ok(Target::Sse { url, headers }),
        Some("http" | "streamable-http" | "streamablehttp" | "streamable_http") => {
            Ok(Target::Http { url, headers })
        }
        // Files of the older transport rarely name it; its endpoint is called so by custom.
        None if url.trim_end_matches('/').ends_with("/sse") => Ok(Target::Sse { url, headers }),
        None => Ok(Target::Http { url, headers }),
        Some(other) => {
            bail!("type `{other}` is unknown; expected stdio, http, streamable-http or sse")
        }
    }
}

/// Files in the wild write numbers and booleans into `env`, too.
fn scalar(name: &str, value: &Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(n) => Ok(n.to_string()),
        Value::Bool(b) => Ok(b.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            bail!("env `{name}` is {value}; expected a text")
        }
    }
}

#[cfg(test)]
mod tests;
