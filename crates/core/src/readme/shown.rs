//! What JSON in a README shows: entries of client configurations, and calls of tools.

use serde_json::Value;

/// JSON nested deeper is no example.
const DEEPEST: usize = 12;
/// Launchers of packages, and those of their words that are not the package.
const LAUNCHERS: &[&str] = &["npx", "bunx", "uvx", "pipx", "pnpx", "pnpm", "yarn", "uv"];
const LAUNCHING: &[&str] = &["run", "tool", "dlx", "exec"];
/// Packages that only lead to another server.
const BRIDGES: &[&str] =
    &["mcp-remote", "supergateway", "mcp-proxy", "@smithery/cli", "mcp-server-fetch-remote"];

/// One server in a client's configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<'a>(&'a Value);

/// A call of a tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShownCall<'a> {
    pub tool: &'a str,
    pub arguments: &'a Value,
}

/// The shapes of Claude Desktop, Cursor, VS Code and Zed, and a bare entry.
pub fn client_entries(value: &Value) -> Vec<Entry<'_>> {
    let is_entry = |v: &&Value| ["command", "url", "serverUrl"].iter().any(|k| v.get(*k).is_some());
    let nested = value.get("mcp").unwrap_or(value);
    let servers: Vec<&Value> = ["mcpServers", "servers", "context_servers", "mcp"]
        .iter()
        .filter_map(|key| nested.get(*key).or_else(|| value.get(*key))?.as_object())
        .flat_map(|map| map.values())
        .filter(is_entry)
        .collect();
    if !servers.is_empty() {
        return servers.into_iter().map(Entry).collect();
    }
    if is_entry(&value) {
        return vec![Entry(value)];
    }
    let alone = value.as_object().filter(|map| map.len() == 1);
    alone.into_iter().flat_map(|map| map.values()).filter(is_entry).map(Entry).collect()
}

impl<'a> Entry<'a> {
    /// The package that a launcher is asked for; `None` where it can't be told.
    pub fn launched(&self) -> Option<&'a str> {
        // Some configurations hold `{"command": {"path": …, "args": […]}}`.
        let inner = self.0.get("command").filter(|c| c.is_object()).unwrap_or(self.0);
        let command = inner.get("command").or_else(|| inner.get("path"))?.as_str()?;
        let args = inner.get("args").and_then(Value::as_array).into_iter().flatten();
        let words = args.filter_map(Value::as_str);
        // Windows wants `cmd /c npx …`, and some write all in one text.
        let mut line = command.split_whitespace().chain(words).skip_while(|w| {
            let name = w.rsplit(['/', '\\']).next().unwrap_or(w);
            !LAUNCHERS.contains(&name.trim_end_matches(".cmd"))
        });
        let launcher = line.next()?;
        let mut package = None;
        while let Some(word) = line.next() {
            match word {
                "-p" | "--package" | "--from" => return line.next(),
                // A tree, not a package.
                "--directory" | "--project" => return None,
                "--with" | "--python" | "--index-url" | "--registry" => {
                    line.next();
                }
                _ if word.starts_with('-') || LAUNCHING.contains(&word) => {}
                _ if package.is_none() => package = Some(word),
                _ => {}
            }
        }
        // `uv run server.py` starts what lies there.
        let there = launcher.ends_with("uv") && package.is_some_and(|p| p.contains(['.', '/']));
        let bridge = |p: &&str| BRIDGES.iter().any(|b| p.starts_with(b));
        let address = |p: &&str| p.contains([':', '\\']) || p.starts_with(['.', '/', '$', '<']);
        package.filter(|p| !there && !bridge(p) && !address(p))
    }
}

/// The calls in a value, at any depth.
pub fn shown_calls(value: &Value) -> Vec<ShownCall<'_>> {
    let mut found = Vec::new();
    collect(value, 0, &mut found);
    found
}

fn collect<'a>(value: &'a Value, depth: usize, found: &mut Vec<ShownCall<'a>>) {
    if depth > DEEPEST {
        return;
    }
    if let Some(call) = call(value) {
        found.push(call);
        return;
    }
    match value {
        Value::Object(map) => map.values().for_each(|v| collect(v, depth + 1, found)),
        Value::Array(items) => items.iter().for_each(|v| collect(v, depth + 1, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `name` alone says little: people and packages have names too, so it must stand beside
/// `arguments`.
fn call(value: &Value) -> Option<ShownCall<'_>> {
    let text = |keys: &[&str]| keys.iter().find_map(|k| value.get(*k)?.as_str());
    let object = |keys: &[&str]| keys.iter().find_map(|k| value.get(*k).filter(|v| v.is_object()));
    let named = text(&["name"]).zip(object(&["arguments"]));
    let (tool, arguments) = named.or_else(|| {
        text(&["tool", "tool_name", "toolName"]).zip(object(&[
            "arguments",
            "params",
            "parameters",
            "input",
            "args",
        ]))
    })?;
    Some(ShownCall { tool, arguments })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn launched(value: &Value) -> Option<&str> {
        client_entries(value).first().and_then(Entry::launched)
    }

    #[test]
    fn the_package_is_found_behind_every_launcher() {
        for args in
            [json!(["-y", "x"]), json!(["--yes", "--package", "x", "y"]), json!(["x", "--", "-z"])]
        {
            let entry = json!({"mcpServers": {"s": {"command": "npx", "args": args}}});
            assert_eq!(launched(&entry), Some("x"), "{entry}");
        }
        let windows = json!({"command": "cmd", "args": ["/c", "npx", "-y", "x"]});
        assert_eq!(launched(&windows), Some("x"));
        let uv = json!({"command": "uv", "args": ["tool", "run", "x"]});
        assert_eq!(launched(&uv), Some("x"));
        let zed = json!({"context_servers": {"s": {"command": {"path": "uvx", "args": ["x"]}}}});
        assert_eq!(launched(&zed), Some("x"));
    }

    #[test]
    fn what_names_no_package_is_not_taken_for_one() {
        for (command, args) in [
            ("node", json!(["dist/index.js"])),
            ("uv", json!(["--directory", "/x", "run", "server"])),
            ("uv", json!(["run", "server.py"])),
            ("npx", json!(["-y", "mcp-remote@latest", "https://x.org"])),
            ("docker", json!(["run", "-i", "x"])),
        ] {
            assert_eq!(launched(&json!({"command": command, "args": args})), None, "{command}");
        }
    }
}
