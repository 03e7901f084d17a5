//! Trees and packages on disk, good and odd.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proofmark_core::event::nobody;
use proofmark_core::evidence::Source;
use proofmark_core::manifest::manifests;
use proofmark_core::target::Target;

use proptest::prelude::*;

use super::{read, study};

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn stdio(command: &str, args: &[&str], env: &[(&str, &Path)]) -> Target {
    Target::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|a| (*a).to_owned()).collect(),
        env: env.iter().map(|(k, v)| ((*k).to_owned(), v.display().to_string())).collect(),
        cwd: None,
    }
}

fn tree(dir: &Path) -> Option<Source> {
    read(&Target::Source { dir: dir.display().to_string() }, None)
}

fn sdks(source: &Source) -> Vec<String> {
    source.package.as_ref().map(|p| p.sdks.clone()).unwrap_or_default()
}

/// A `node_modules` with one server in it.
fn node_modules(root: &Path) {
    let server = root.join("node_modules/@acme/server-x");
    write(
        &server.join("package.json"),
        r#"{"name":"@acme/server-x","version":"1.2.3","license":"MIT",
            "dependencies":{"@modelcontextprotocol/sdk":"^1.0.0","fastmcp":"*"}}"#,
    );
    write(&server.join("README.md"), "# Server X\n");
    write(&server.join("dist/package.json"), r#"{"type":"module"}"#);
    write(&server.join("dist/index.js"), "#!/usr/bin/env node\n");
    write(
        &root.join("node_modules/@modelcontextprotocol/sdk/package.json"),
        r#"{"name":"@modelcontextprotocol/sdk","version":"1.32.2"}"#,
    );
}

/// A virtual environment with one server in it.
fn venv(root: &Path) {
    let site = root.join("lib/python3.11/site-packages");
    let info = site.join("mcp_server_y-0.4.dist-info");
    write(
        &info.join("METADATA"),
        "Metadata-Version: 2.1\nName: mcp-server-y\nVersion: 0.4\nLicense: MIT License\n        \n        Permission is hereby granted\nRequires-Dist: mcp[cli]>=1.0\n\n# Server Y\n\nText.\n",
    );
    write(
        &info.join("entry_points.txt"),
        "[other]\nserver-z = x:y\n\n[console_scripts]\nserver-y = server_y:main\n",
    );
    write(&info.join("RECORD"), "server_y/__init__.py,sha256=x,1\n");
    write(&info.join("licenses/LICENSE"), "MIT License\n");
    write(&site.join("mcp-2.3.0.dist-info/METADATA"), "Name: mcp\nVersion: 2.3.0\n\n# SDK\n");
    write(&root.join("bin/python3"), "");
    let shebang = format!("#!{}\n", root.join("bin/python3").display());
    write(&root.join("bin/server-y"), &shebang);
}

#[test]
fn a_tree_gives_its_readme_licence_and_manifest() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("ReadMe.MD"), "# Hello\n");
    write(&dir.path().join("README.zh.md"), "# not this\n");
    write(&dir.path().join("LICENCE"), "MIT\n");
    write(
        &dir.path().join("pyproject.toml"),
        "[project]\nname = \"p\"\nversion = \"1\"\nlicense = {text = \"MIT\"}\ndependencies = [\"fastmcp>=2\"]\n",
    );
    let source = tree(dir.path()).unwrap();
    assert_eq!(source.readme.as_ref().unwrap().path, "ReadMe.MD");
    assert_eq!(source.licence.as_ref().unwrap().path, "LICENCE");
    let package = source.package.as_ref().unwrap();
    assert_eq!(package.ecosystem, "pypi");
    assert_eq!(package.licence.as_deref(), Some("MIT"));
    assert_eq!(sdks(&source), ["fastmcp"]);
}

#[test]
fn a_tree_without_readme_is_still_a_source() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(tree(dir.path()).unwrap().readme, None);
    assert_eq!(tree(&dir.path().join("missing")), None);
}

#[test]
fn pages_that_the_readme_leads_to_are_read_and_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let text = "# X\n[Tools](docs/tools.md) [all](/docs/more.md#a) [news](CHANGELOG.md) [out](../x.md) [gone](docs/no.md)\n";
    write(&dir.path().join("README.md"), text);
    write(&dir.path().join("docs/tools.md"), "## add\n");
    write(&dir.path().join("dist/docs/more.md"), "## sub\n");
    write(&dir.path().join("docs/unlinked.md"), "## mul\n");
    write(&dir.path().join("CHANGELOG.md"), "## 1.0\n");
    let pages = tree(dir.path()).unwrap().pages;
    let found: Vec<&str> = pages.iter().map(|p| p.path.as_str()).collect();
    assert_eq!(found, ["dist/docs/more.md", "docs/tools.md"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_in_any_file_make_reading_a_tree_fail(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        text in "(?s)[\\[\\]{}\"':=,.a-z0-9\n \\\\é-]{0,300}",
    ) {
        let dir = tempfile::tempdir().unwrap();
        let names = [
            "README.md", "LICENSE", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "server.json",
            "manifest.json", "requirements.txt", "uv.lock", "yarn.lock", "Dockerfile", "src/a.py", "src/b.ts",
        ];
        fs::create_dir(dir.path().join("src")).unwrap();
        for content in [bytes.as_slice(), text.as_bytes(), format!("{{\"name\": {text:?}, \"bin\": [{text}]}}").as_bytes()] {
            for name in names {
                fs::write(dir.path().join(name), content).unwrap();
            }
            let target = Target::Source { dir: dir.path().display().to_string() };
            let mut source = read(&target, None).unwrap();
            study(&target, None, &mut source, &nobody());
            for manifest in manifests(&source).into_iter().flatten() {
                let _ = (manifest.faults(), manifest.tools().is_some());
            }
        }
    }
}

#[test]
fn a_readme_one_level_down_is_found() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("docs/README.rst"), "Title\n=====\n");
    assert_eq!(tree(dir.path()).unwrap().readme.unwrap().path, "docs/README.rst");
}

#[test]
fn cargo_and_go_manifests_name_their_sdk() {
    let dir = tempfile::tempdir().unwrap();
    write(
        &dir.path().join("Cargo.toml"),
        "[package]\nname = \"c\"\nversion = \"2.0.0\"\nlicense = \"MIT\"\n[dependencies]\nrmcp = \"1\"\n",
    );
    assert_eq!(sdks(&tree(dir.path()).unwrap()), ["rmcp"]);
    let dir = tempfile::tempdir().unwrap();
    write(
        &dir.path().join("go.mod"),
        "module example.com/m\n\nrequire (\n\tgithub.com/mark3labs/mcp-go v0.30.1\n)\n",
    );
    assert_eq!(sdks(&tree(dir.path()).unwrap()), ["github.com/mark3labs/mcp-go@0.30.1"]);
}

#[test]
fn a_link_in_node_modules_leads_to_its_package() {
    let dir = tempfile::tempdir().unwrap();
    node_modules(dir.path());
    let bin = dir.path().join("node_modules/.bin");
    fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink("../@acme/server-x/dist/index.js", bin.join("server-x")).unwrap();
    let source = read(&stdio("server-x", &[], &[("PATH", &bin)]), None).unwrap();
    assert_eq!(source.origin, "npm package @acme/server-x 1.2.3");
    assert_eq!(source.readme.as_ref().unwrap().text, "# Server X\n");
    assert_eq!(sdks(&source), ["@modelcontextprotocol/sdk@1.32.2", "fastmcp"]);
}

#[test]
fn a_node_script_leads_to_its_package() {
    let dir = tempfile::tempdir().unwrap();
    node_modules(dir.path());
    let script = dir.path().join("node_modules/@acme/server-x/dist/index.js");
    let source = read(&stdio("node", &["--flag", script.to_str().unwrap()], &[]), None).unwrap();
    assert_eq!(source.origin, "npm package @acme/server-x 1.2.3");
}

#[test]
fn npx_is_looked_up_in_its_cache_by_name_and_version() {
    let cache = tempfile::tempdir().unwrap();
    let home = tempfile::tempdir().unwrap();
    node_modules(&cache.path().join("_npx/0123"));
    let env = [("npm_config_cache", cache.path()), ("HOME", home.path())];
    let found = |spec: &str| read(&stdio("npx", &["-y", spec], &env), None).map(|s| s.origin);
    let origin = Some("npm package @acme/server-x 1.2.3".to_owned());
    assert_eq!(found("@acme/server-x"), origin);
    assert_eq!(found("@acme/server-x@1.2.3"), origin);
    assert_eq!(found("@acme/server-x@9.9.9"), None);
    assert_eq!(found("../server-x"), None);
}

#[test]
fn a_console_script_leads_to_its_distribution() {
    let dir = tempfile::tempdir().unwrap();
    venv(dir.path());
    let command = dir.path().join("bin/server-y");
    let source = read(&stdio(command.to_str().unwrap(), &[], &[]), None).unwrap();
    assert_eq!(source.origin, "PyPI package mcp-server-y 0.4");
    assert_eq!(source.readme.as_ref().unwrap().text, "# Server Y\n\nText.\n");
    assert_eq!(source.package.as_ref().unwrap().licence.as_deref(), Some("MIT License"));
    let licence = source.licence.as_ref().unwrap();
    assert_eq!(licence.path, "mcp_server_y-0.4.dist-info/licenses/LICENSE");
    assert_eq!(sdks(&source), ["mcp@2.3.0"]);
}

#[test]
fn a_python_module_leads_to_its_distribution() {
    let dir = tempfile::tempdir().unwrap();
    venv(dir.path());
    let python = dir.path().join("bin/python3");
    let found = |module: &str| {
        read(&stdio(python.to_str().unwrap(), &["-m", module], &[]), None).map(|s| s.origin)
    };
    assert_eq!(found("server_y"), Some("PyPI package mcp-server-y 0.4".to_owned()));
    assert_eq!(found("nobody_has_this"), None);
}

#[test]
fn uvx_is_looked_up_in_its_cache() {
    let cache = tempfile::tempdir().unwrap();
    venv(&cache.path().join("archive-v0/abc"));
    let env = [("UV_CACHE_DIR", cache.path())];
    let found = |args: &[&str]| read(&stdio("uvx", args, &env), None).map(|s| s.origin);
    let origin = Some("PyPI package mcp-server-y 0.4".to_owned());
    assert_eq!(found(&["mcp-server-y"]), origin);
    assert_eq!(found(&["--from", "mcp-server-y==0.4", "server-y"]), origin);
    assert_eq!(found(&["mcp-server-y@9"]), None);
}

#[test]
fn uv_run_reads_the_project_it_runs_in() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("pyproject.toml"), "[project]\nname = \"p\"\n");
    write(&dir.path().join("README.md"), "# P\n");
    let args = ["--directory", dir.path().to_str().unwrap(), "run", "server"];
    assert!(read(&stdio("uv", &args, &[]), None).unwrap().readme.is_some());
}

#[test]
fn odd_files_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let secret = tempfile::tempdir().unwrap();
    write(&secret.path().join("id_rsa"), "PRIVATE\n");
    std::os::unix::fs::symlink(secret.path().join("id_rsa"), dir.path().join("README.md")).unwrap();
    std::os::unix::fs::symlink("LICENSE", dir.path().join("LICENSE")).unwrap();
    fs::write(dir.path().join("README.txt"), b"\x00\x01binary").unwrap();
    fs::create_dir(dir.path().join("README")).unwrap();
    write(&dir.path().join("package.json"), "{ not json");
    let source = tree(dir.path()).unwrap();
    assert_eq!((source.readme, source.licence, source.package), (None, None, None));
}

#[test]
fn a_huge_readme_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("README.md"), &"é".repeat(1 << 20));
    let text = tree(dir.path()).unwrap().readme.unwrap().text;
    assert!(text.len() <= (500 << 10) + 3, "{}", text.len());
}

#[test]
fn a_readme_cut_within_a_character_is_still_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut bytes = format!("# A\n\n{}", "é".repeat(1 << 19)).into_bytes();
    bytes.splice(2..3, [0xff, b'A']);
    fs::write(dir.path().join("README.md"), &bytes).unwrap();
    let text = tree(dir.path()).unwrap().readme.unwrap().text;
    let readme = proofmark_core::readme::Readme::parse(&text);
    assert_eq!(readme.headings, ["\u{fffd}a"]);
}

#[test]
fn links_that_lead_to_no_file_are_found_and_nothing_outside_is_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("tree");
    write(&root.join("docs/a b.md"), "x\n");
    write(&root.join("CHANGELOG.md"), "x\n");
    write(
        &root.join("README.md"),
        "[a](docs/a%20b.md#x) [b](./docs) [c](docs/gone.md) [d](../../etc/passwd) [e](/CHANGELOG.md) [f](https://x.org/y) ![g](img/logo.png)\n",
    );
    let around = tree(&root).unwrap().around.unwrap();
    assert_eq!(around.dead_links, ["docs/gone.md", "img/logo.png"]);
    assert_eq!(around.files, ["CHANGELOG.md", "README.md", "docs/a b.md"]);
}

#[test]
fn an_installed_package_is_not_blamed_for_files_it_does_not_ship() {
    let dir = tempfile::tempdir().unwrap();
    node_modules(dir.path());
    let script = dir.path().join("node_modules/@acme/server-x/dist/index.js");
    let source = read(&stdio("node", &[script.to_str().unwrap()], &[]), None).unwrap();
    assert_eq!(source.around, None);
}

#[test]
fn a_command_that_is_no_package_has_no_source() {
    for (command, args) in [("sh", &["-c", "true"][..]), ("no-such-command", &[]), ("", &[])] {
        assert_eq!(read(&stdio(command, args, &[]), None), None, "{command}");
    }
    let url = "http://127.0.0.1:1/mcp".to_owned();
    assert_eq!(read(&Target::Http { url, headers: BTreeMap::new() }, None), None);
}
