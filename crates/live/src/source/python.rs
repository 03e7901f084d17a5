//! Packages of PyPI: the distribution that owns a console script or a module.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proofmark_core::evidence::{Dependencies, Document, Ecosystem, Locked, Package, Source};

use super::{files, lock, tree};

pub(super) const SDKS: &[&str] = &["fastmcp", "mcp"];
const RECORD_LIMIT: u64 = 8 << 20;

/// The interpreter that a console script names in its first lines.
pub(super) fn interpreter(script: &Path) -> Option<PathBuf> {
    let head = files::text(script, 2_048)?;
    let first = head.lines().next()?.strip_prefix("#!")?.trim();
    let mut words = first.split_whitespace();
    let program = Path::new(words.next()?);
    match files::name(program) {
        // Installers write a shell line for interpreters whose path is too long for a shebang.
        "sh" => {
            let line = head.lines().find(|l| l.contains("exec'"))?;
            let path = line.split_whitespace().nth(1)?.trim_matches(['"', '\'']);
            Some(PathBuf::from(path))
        }
        "env" => words.find(|w| w.starts_with("python")).map(PathBuf::from),
        name if name.starts_with("python") || name.starts_with("pypy") => Some(program.to_owned()),
        _ => None,
    }
}

/// The `site-packages` of an interpreter. Its link is not followed: it is what a virtual
/// environment is found by.
pub(super) fn site_packages(interpreter: &Path) -> Vec<PathBuf> {
    let Some(prefix) = interpreter.parent().and_then(Path::parent) else { return Vec::new() };
    let mut sites = Vec::new();
    for base in ["lib", "lib64", "local/lib"] {
        for dir in files::entries(&prefix.join(base)) {
            if files::name(&dir).starts_with("python") {
                sites.push(dir.join("site-packages"));
                sites.push(dir.join("dist-packages"));
            }
        }
    }
    sites.retain(|site| site.is_dir());
    sites
}

/// The distribution whose console scripts include `script`.
pub(super) fn owning_script(sites: &[PathBuf], script: &str) -> Option<Source> {
    distributions(sites).find(|(_, info)| declares_script(info, script)).and_then(facts)
}

/// The distribution that installed this module.
pub(super) fn owning_module(sites: &[PathBuf], module: &str) -> Option<Source> {
    let top = module.split('.').next()?;
    let starts = [format!("{top}/"), format!("{top}.py,")];
    distributions(sites)
        .find(|(_, info)| {
            let record = files::text(&info.join("RECORD"), RECORD_LIMIT).unwrap_or_default();
            record.lines().any(|line| starts.iter().any(|start| line.starts_with(start.as_str())))
                || same_name(info, top)
        })
        .and_then(facts)
}

/// The distribution of this name, and version if one is given.
pub(super) fn named(sites: &[PathBuf], name: &str, version: Option<&str>) -> Option<Source> {
    distributions(sites).filter(|(_, info)| same_name(info, name)).filter_map(facts).find(|s| {
        let found = s.package.as_ref().and_then(|p| p.version.as_deref());
        version.is_none() || version == found
    })
}

/// `mcp[cli]>=1.2 ; python_version > "3"` → `mcp`, in the normal form of names.
pub(super) fn requirement_name(text: &str) -> String {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)));
    text[..end.unwrap_or(text.len())].to_lowercase().replace(['_', '.'], "-")
}

/// Some packages put the whole licence text where its name belongs.
pub(super) fn one_line(text: &str) -> Option<String> {
    let line: String = text.lines().next()?.trim().chars().take(80).collect();
    (!line.is_empty() && line != "UNKNOWN").then_some(line)
}

fn distributions(sites: &[PathBuf]) -> impl Iterator<Item = (&Path, PathBuf)> {
    sites.iter().flat_map(|site| {
        files::entries(site)
            .into_iter()
            .filter(|path| files::name(path).ends_with(".dist-info"))
            .map(|path| (site.as_path(), path))
    })
}

fn same_name(info: &Path, name: &str) -> bool {
    let file = files::name(info).trim_end_matches(".dist-info");
    let found = file.split('-').next().unwrap_or_default();
    requirement_name(found) == requirement_name(name)
}

fn declares_script(info: &Path, script: &str) -> bool {
    let text = files::text(&info.join("entry_points.txt"), files::LIMIT).unwrap_or_default();
    let mut scripts = false;
    text.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            scripts = line == "[console_scripts]";
        }
        scripts && line.split_once('=').is_some_and(|(name, _)| name.trim() == script)
    })
}

fn facts((site, info): (&Path, PathBuf)) -> Option<Source> {
    let text = files::text(&info.join("METADATA"), files::LIMIT)?;
    let meta = Metadata::parse(&text);
    let name = meta.first("Name")?;
    let version = meta.first("Version");
    let folder = files::name(&info);
    let readme = (!meta.body.trim().is_empty())
        .then(|| Document { path: format!("{folder}/METADATA"), text: meta.body.clone() });
    let licences = files::entries(&info).into_iter().chain(files::entries(&info.join("licenses")));
    let licence = licences.filter(|path| tree::is_licence(files::name(path))).find_map(|path| {
        let text = files::text(&path, 64 << 10)?;
        let path = path.strip_prefix(site).unwrap_or(&path).display().to_string();
        Some(Document { path, text })
    });
    Some(Source {
        origin: format!("PyPI package {name} {}", version.unwrap_or("of unknown version")),
        readme,
        licence,
        package: Some(Package {
            ecosystem: "pypi".to_owned(),
            name: Some(name.to_owned()),
            version: version.map(str::to_owned),
            licence: meta.licence(),
            sdks: sdks(site, &meta),
        }),
        manifests: Vec::new(),
        dependencies: dependencies(site, name),
        sizes: None,
    })
}

/// What is installed beside a distribution and needed by it. Needs of extras are left out: whether
/// they were asked for is not on record.
fn dependencies(site: &Path, name: &str) -> Option<Dependencies> {
    let sites = [site.to_owned()];
    let all: BTreeMap<String, (Locked, Vec<String>)> = distributions(&sites)
        .filter_map(|(_, info)| {
            let meta = Metadata::parse(&files::text(&info.join("METADATA"), files::LIMIT)?);
            let name = meta.first("Name")?;
            let needs = meta.all("Requires-Dist").filter(|need| !need.contains("extra =="));
            let needs = needs.map(requirement_name).collect();
            let locked = Locked {
                licence: meta.licence(),
                ..Locked::new(Ecosystem::Pypi, name, meta.first("Version"))
            };
            Some((requirement_name(name), (locked, needs)))
        })
        .collect();
    let lock = lock::distributions(&requirement_name(name), &all)?;
    Some(Dependencies { locks: vec![lock], advisories: None })
}

/// The SDKs it needs, itself or through FastMCP, with the versions installed beside it.
fn sdks(site: &Path, meta: &Metadata) -> Vec<String> {
    let needs: Vec<String> = meta.all("Requires-Dist").map(requirement_name).collect();
    let needed = |sdk: &str| needs.iter().any(|n| n == sdk);
    let sites = [site.to_owned()];
    let version = |sdk: &str| {
        let (_, info) = distributions(&sites).find(|(_, info)| same_name(info, sdk))?;
        let file = files::name(&info).trim_end_matches(".dist-info");
        file.split_once('-').map(|(_, version)| version.to_owned())
    };
    SDKS.iter()
        .filter(|sdk| needed(sdk) || (**sdk == "mcp" && needed("fastmcp")))
        .map(|sdk| match version(sdk) {
            Some(version) => format!("{sdk}@{version}"),
            None => (*sdk).to_owned(),
        })
        .collect()
}

/// The header lines of a METADATA file, and the long description below them.
struct Metadata {
    fields: Vec<(String, String)>,
    body: String,
}

impl Metadata {
    fn parse(text: &str) -> Metadata {
        let text = text.replace("\r\n", "\n");
        let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in head.lines() {
            match (line.starts_with([' ', '\t']), fields.last_mut(), line.split_once(':')) {
                (true, Some((_, value)), _) => {
                    value.push('\n');
                    value.push_str(line.trim_start_matches(' ').trim_start_matches('|'));
                }
                (false, _, Some((name, value))) => {
                    fields.push((name.to_owned(), value.trim().to_owned()));
                }
                (true, None, _) | (false, _, None) => {}
            }
        }
        let described = fields.iter().find(|(n, _)| n == "Description").map(|(_, v)| v.clone());
        let body =
            if body.trim().is_empty() { described.unwrap_or_default() } else { body.to_owned() };
        Metadata { fields, body }
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next().filter(|v| !v.is_empty())
    }

    fn licence(&self) -> Option<String> {
        let classified = || {
            self.all("Classifier")
                .find_map(|c| c.strip_prefix("License :: ")?.rsplit(" :: ").next())
        };
        self.first("License-Expression")
            .or_else(|| self.first("License"))
            .and_then(one_line)
            .or_else(|| classified().map(str::to_owned))
    }
}
