//! How people get a server, by the files that publishing needs.

use std::path::Path;

use proofmark_core::evidence::Distribution;
use serde_json::Value;

use super::files;

/// All ways that the tree prepares for, in a fixed order.
pub(super) fn of(dir: &Path) -> Vec<Distribution> {
    let text = |name: &str| files::text_below(dir, &dir.join(name), files::LIMIT);
    let json = |name: &str| serde_json::from_str::<Value>(&text(name)?).ok();
    let toml = |name: &str| text(name)?.parse::<toml::Table>().ok();
    let server = json("server.json");
    let mut found = Vec::new();
    let mut note = |is: bool, way: Distribution| {
        if is {
            found.push(way);
        }
    };
    note(json("package.json").is_some_and(|p| is_npm(&p)), Distribution::Npm);
    let python = toml("pyproject.toml").is_some_and(|p| is_python(&p));
    note(python || text("setup.py").is_some(), Distribution::Pypi);
    note(toml("Cargo.toml").is_some_and(|p| is_crate(&p)), Distribution::Crate);
    note(text("go.mod").is_some(), Distribution::Go);
    let bundle = json("manifest.json").is_some_and(|m| is_bundle(&m));
    note(bundle || holds(dir, &[".mcpb", ".dxt"]), Distribution::Mcpb);
    let image =
        ["Dockerfile", "Containerfile", "docker/Dockerfile"].iter().any(|f| text(f).is_some());
    note(image, Distribution::Docker);
    let registered = |way: &str| server.as_ref().is_some_and(|s| is_registered(s, way));
    note(registered("npm"), Distribution::Npm);
    note(registered("pypi"), Distribution::Pypi);
    note(registered("oci"), Distribution::Docker);
    note(registered("mcpb"), Distribution::Mcpb);
    let remote = server.as_ref().and_then(|s| s.get("remotes")?.as_array());
    note(remote.is_some_and(|r| !r.is_empty()), Distribution::Remote);
    found.sort();
    found.dedup();
    found
}

/// One that is private is not published, whatever else it says.
fn is_npm(manifest: &Value) -> bool {
    let private = manifest.get("private") == Some(&Value::Bool(true));
    manifest.get("name").is_some_and(Value::is_string) && !private
}

fn is_python(manifest: &toml::Table) -> bool {
    let poetry = manifest.get("tool").and_then(|t| t.get("poetry"));
    manifest.get("project").or(poetry).is_some_and(|p| p.get("name").is_some())
}

fn is_crate(manifest: &toml::Table) -> bool {
    let package = manifest.get("package");
    package.is_some_and(|p| p.get("publish").and_then(toml::Value::as_bool) != Some(false))
}

fn is_bundle(manifest: &Value) -> bool {
    let version = ["manifest_version", "dxt_version", "mcpb_version"];
    version.iter().any(|v| manifest.get(v).is_some())
        && manifest.get("server").is_some_and(Value::is_object)
}

/// Whether the entry for the MCP registry names this kind of package.
fn is_registered(server: &Value, way: &str) -> bool {
    let packages = server.get("packages").and_then(Value::as_array).into_iter().flatten();
    let kinds = packages.filter_map(|p| p.get("registryType").or(p.get("registry_type"))?.as_str());
    kinds.into_iter().any(|kind| kind == way)
}

fn holds(dir: &Path, endings: &[&str]) -> bool {
    files::entries(dir).iter().any(|p| endings.iter().any(|e| files::name(p).ends_with(e)))
}
