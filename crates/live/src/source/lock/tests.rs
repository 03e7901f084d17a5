//! Lock files as their tools write them, and ones that nobody should have written.

use std::path::Path;

use proofmark_core::evidence::{Ecosystem, LockFile, LockFormat, Locked};
use proptest::prelude::*;

use super::{FORMATS, cargo, go, npm, pnpm, python, read, yarn};

fn labels(packages: Result<Vec<Locked>, String>) -> Vec<String> {
    packages.unwrap().iter().map(Locked::label).collect()
}

#[test]
fn an_npm_lock_gives_names_versions_licences_and_scripts() {
    let text = r#"{"lockfileVersion": 3, "packages": {
        "": {"name": "own", "dependencies": {"a": "^1"}},
        "packages/part": {"version": "0.0.1"},
        "node_modules/part": {"resolved": "packages/part", "link": true},
        "node_modules/a": {"version": "1.2.0", "license": "MIT"},
        "node_modules/a/node_modules/@s/b": {"version": "2.0.0", "dev": true, "hasInstallScript": true},
        "node_modules/alias": {"name": "real", "version": "3.0.0"}}}"#;
    let found = npm::parse(text).unwrap();
    let names: Vec<String> = found.iter().map(Locked::label).collect();
    assert_eq!(names, ["a 1.2.0", "@s/b 2.0.0", "real 3.0.0"]);
    assert_eq!(found[0].licence.as_deref(), Some("MIT"));
    assert!(found[1].dev && found[1].scripts && !found[0].scripts);
}

#[test]
fn the_first_version_of_npm_locks_nests() {
    let text = r#"{"lockfileVersion": 1, "dependencies": {"a": {"version": "1.0.0",
        "dependencies": {"b": {"version": "2.0.0", "dev": true}}}}}"#;
    assert_eq!(labels(npm::parse(text)), ["a 1.0.0", "b 2.0.0"]);
    assert!(npm::parse("{}").is_err());
}

#[test]
fn keys_of_pnpm_are_read_in_all_three_spellings() {
    let text = "lockfileVersion: '9.0'\npackages:\n  '@s/a@1.0.0(react@18.0.0)':\n    resolution: {integrity: x}\n  /b@2.0.0:\n    dev: true\n  /@s/c/3.0.0_peer@1.0.0:\n    requiresBuild: true\n  d@4.0.0: {}\n";
    assert_eq!(labels(pnpm::parse(text)), ["@s/a 1.0.0", "b 2.0.0", "@s/c 3.0.0", "d 4.0.0"]);
    assert!(pnpm::parse("packages: [").is_err());
}

#[test]
fn both_kinds_of_yarn_locks_are_read() {
    let first = "# yarn lockfile v1\n\n\"@s/a@^1.0.0\", \"@s/a@^1.1.0\":\n  version \"1.1.2\"\n  resolved \"x\"\n\nb@~2.0.0:\n  version \"2.0.5\"\n  dependencies:\n    version \"^9.0.0\"\n\nc@npm:real@^3:\n  version \"3.0.0\"\n";
    assert_eq!(labels(yarn::parse(first)), ["@s/a 1.1.2", "b 2.0.5", "real 3.0.0"]);
    let later = "__metadata:\n  version: 8\n\n\"@s/a@npm:^1.0.0\":\n  version: 1.1.2\n  resolution: \"@s/a@npm:1.1.2\"\n\n\"own@workspace:.\":\n  version: 0.0.0-use.local\n  resolution: \"own@workspace:.\"\n";
    assert_eq!(labels(yarn::parse(later)), ["@s/a 1.1.2"]);
    assert!(yarn::parse("hello\n").is_err());
}

#[test]
fn python_locks_leave_the_project_itself_out() {
    let uv = "version = 1\n[[package]]\nname = \"own\"\nversion = \"0.1\"\nsource = { virtual = \".\" }\n[[package]]\nname = \"httpx\"\nversion = \"0.28.1\"\nsource = { registry = \"https://packages.example/simple\" }\n";
    assert_eq!(labels(python::uv(uv)), ["httpx 0.28.1"]);
    let poetry = "[[package]]\nname = \"a\"\nversion = \"1.0\"\ngroups = [\"dev\"]\n[[package]]\nname = \"b\"\nversion = \"2.0\"\ngroups = [\"main\", \"dev\"]\n";
    let found = python::poetry(poetry).unwrap();
    assert!(found[0].dev && !found[1].dev);
}

#[test]
fn requirements_have_a_version_only_if_it_is_exact() {
    let text = "# all\n-r other.txt\nhttpx[http2]==0.27.0 ; python_version > \"3.8\" \\\n    --hash=sha256:00\nFlask_Cors>=1,<2\npydantic==2.*\n./local\ngit+https://x/y\nplain\n";
    let found = python::requirements(text).unwrap();
    let names: Vec<String> = found.iter().map(Locked::label).collect();
    assert_eq!(names, ["httpx 0.27.0", "flask-cors", "pydantic", "plain"]);
}

#[test]
fn go_modules_know_what_is_direct() {
    let text = "module example.org/x\n\ngo 1.22\n\nrequire github.com/a/b v1.2.3\nrequire (\n\tgithub.com/c/d v0.4.0 // indirect\n)\nreplace github.com/a/b => ../b\n";
    let found = go::parse(text).unwrap();
    assert_eq!(
        found.iter().map(Locked::label).collect::<Vec<_>>(),
        ["github.com/a/b v1.2.3", "github.com/c/d v0.4.0"]
    );
    assert!(found[0].direct && !found[1].direct);
    assert!(go::parse("hello").is_err());
}

#[test]
fn our_own_lock_file_is_read_whole() {
    let text = include_str!("../../../../../Cargo.lock");
    let found = cargo::parse(text).unwrap();
    let sources = text.matches("\nsource = ").count();
    assert_eq!(found.len(), sources);
    assert!(
        found.iter().any(|p| p.name == "serde") && !found.iter().any(|p| p.name == "proofmark")
    );
}

/// `scripts/record-locks` has the package managers write these, and list what is in them.
#[test]
fn packages_are_those_that_the_package_managers_themselves_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/locks");
    let clients = ["npm", "pnpm", "yarn-1", "yarn-4", "uv", "poetry"];
    for dir in clients.map(|client| root.join(client)) {
        let found = locks(&dir);
        assert_eq!((found.len(), &found[0].problem), (1, &None), "{dir:?}");
        let mut ours: Vec<String> = found[0].packages.iter().map(Locked::label).collect();
        ours.sort();
        let listed = std::fs::read_to_string(dir.join("listed.txt")).unwrap();
        let mut theirs: Vec<&str> = listed.lines().collect();
        theirs.sort();
        assert_eq!(ours, theirs, "{dir:?}");
    }
    let developing = |client: &str| -> Vec<String> {
        let packages = locks(&root.join(client)).remove(0).packages;
        packages.into_iter().filter(|p| p.dev).map(|p| p.name).collect()
    };
    assert_eq!(developing("npm"), ["is-number", "is-odd"]);
    assert_eq!(developing("poetry"), ["iniconfig"]);
}

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

fn locks(dir: &Path) -> Vec<LockFile> {
    read(dir).map(|d| d.locks).unwrap_or_default()
}

#[test]
fn a_tree_gives_one_lock_for_each_ecosystem_and_says_what_is_direct() {
    let dir = tree(&[
        ("package.json", r#"{"name": "own", "dependencies": {"a": "1"}}"#),
        (
            "package-lock.json",
            r#"{"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "1.0.0"}}}"#,
        ),
        ("yarn.lock", "# yarn lockfile v1\n"),
        ("requirements.txt", "httpx==0.27.0\n"),
    ]);
    let found = locks(dir.path());
    assert_eq!(
        found.iter().map(|l| l.path.as_str()).collect::<Vec<_>>(),
        ["package-lock.json", "requirements.txt"]
    );
    let direct: Vec<&str> = found
        .iter()
        .flat_map(|l| &l.packages)
        .filter(|p| p.direct)
        .map(|p| p.name.as_str())
        .collect();
    assert_eq!(direct, ["a", "httpx"]);
    assert!(locks(tree(&[("README.md", "x")]).path()).is_empty());
}

#[test]
fn of_an_installed_package_only_what_it_needs_is_told() {
    let listing = r#"{"packages": {
        "node_modules/own": {"version": "1.0.0", "dependencies": {"a": "1"}},
        "node_modules/own/node_modules/a": {"version": "1.0.0", "dependencies": {"b": "1"}},
        "node_modules/a": {"version": "2.0.0"}, "node_modules/b": {"version": "1.0.0", "peerDependencies": {"own": "1"}},
        "node_modules/stranger": {"version": "6.0.0"}}}"#;
    let dir = tree(&[
        ("node_modules/.package-lock.json", listing),
        ("node_modules/own/package.json", r#"{"name": "own", "dependencies": {"a": "1"}}"#),
    ]);
    let found = locks(&dir.path().join("node_modules/own"));
    assert_eq!(found[0].format, LockFormat::Installed);
    let names: Vec<String> = found[0].packages.iter().map(Locked::label).collect();
    assert_eq!(names, ["a 1.0.0", "b 1.0.0"]);
    assert!(found[0].packages[0].direct && !found[0].packages[1].direct);
}

#[test]
fn what_can_not_be_read_is_said() {
    let found = locks(tree(&[("package-lock.json", "{\"packages\": ")]).path());
    assert!(found[0].problem.as_deref().unwrap().contains("no JSON"), "{found:?}");
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in "[\\x00-\\x7f\u{e9}\u{20ac}]{0,400}") {
        for (_, _, _, parse) in FORMATS {
            let _ = parse(&text);
        }
    }

    #[test]
    fn half_right_texts_do_not_either(
        key in "[/@a-z0-9._:()\"-]{0,30}", value in "[@a-z0-9.\"{}:-]{0,30}",
    ) {
        let quoted = serde_json::to_string(&key).unwrap();
        let texts = [
            format!("{{\"packages\": {{{quoted}: {{\"version\": {quoted}}}}}}}"),
            format!("packages:\n  {key}: {value}\n  {quoted}: {{version: {quoted}}}\n"),
            format!("__metadata:\n  version: 8\n{quoted}:\n  resolution: {quoted}\n  version: 1\n"),
            format!("# yarn lockfile v1\n{key}:\n  version {value}\n"),
            format!("module x\nrequire {key} {value}\n{key}=={value}\n"),
        ];
        for text in &texts {
            for (_, _, _, parse) in FORMATS {
                let _ = parse(text);
            }
        }
    }

    #[test]
    fn deep_nesting_ends(depth in 1usize..3_000) {
        let text = "{\"dependencies\":{\"a\":".repeat(depth);
        prop_assert!(npm::parse(&text).is_err());
        let yaml = format!("packages: {}", "{a: ".repeat(depth));
        prop_assert!(pnpm::parse(&yaml).is_err());
        prop_assert_eq!(Ecosystem::Npm.normal("A_b"), "A_b");
    }
}
