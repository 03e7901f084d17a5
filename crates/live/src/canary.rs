//! What is planted before a server starts: a workspace worth working on, and canaries, texts
//! that must not come back from where the server has no business.

mod neighbours;
mod repository;
mod samples;

pub(crate) use neighbours::plant as plant_neighbours;
pub use samples::add_missing;
pub(crate) use samples::{CSV, IMAGE, REPORT};

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use proofmark_core::evidence::{Canary, CanaryPlace};
use proofmark_core::seed::Seed;

use crate::isolate::Scratch;

/// The result of planting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Planted {
    /// Paths as they appear in evidence.
    pub canaries: Vec<Canary>,
    /// What must be set in the server's environment.
    pub env: BTreeMap<String, String>,
    /// Everything that lies in the workspace, as it appears in evidence; directories end in `/`.
    pub files: Vec<String>,
    /// What could not be planted, and why.
    pub notes: Vec<String>,
}

/// Fills the scratch area. The same seed gives the same bytes.
pub fn plant(scratch: &Scratch, seed: Seed) -> io::Result<Planted> {
    let mut planted = Planted::default();
    let workspace = scratch.workspace();
    add_missing(&workspace)?;
    if let Err(why) = repository::plant(&workspace.join("repo")) {
        planted.notes.push(format!("no git repository was planted: {why}"));
    }
    plant_files(scratch, seed, &mut planted)?;
    plant_variables(seed, &mut planted);
    list(scratch, &workspace, &mut planted.files)?;
    // After the list: nobody is to take it for a sample.
    let links = workspace.join("linked");
    fs::create_dir_all(&links)?;
    std::os::unix::fs::symlink("../../outside/canary-outside.txt", links.join("reference.txt"))?;
    planted.files.sort();
    Ok(planted)
}

/// The two variables, their name and the shape of their value.
const VARIABLES: &[(&str, &str, &str)] =
    &[("env", "PROOFMARK_CANARY_ENV", "canary-"), ("env-token", "CANARY_API_TOKEN", "tok_live_")];

fn plant_files(scratch: &Scratch, seed: Seed, planted: &mut Planted) -> io::Result<()> {
    let value = |id: &str| format!("canary-{}", seed.word(&format!("canary {id}"), 24));

    let inside = scratch.workspace().join("canary-inside.txt");
    let text = value("inside-file");
    write(&inside, format!("Reference number of this workspace: {text}\n"))?;
    let path = scratch.shown(&inside);
    planted.add("inside-file", CanaryPlace::Inside { path }, text);

    let outside = scratch.outside().join("canary-outside.txt");
    let text = value("outside-file");
    // Some servers put an ending of their own behind a name.
    for ending in ["txt", "md", "json", "log", "csv", "html", "yaml"] {
        write(&outside.with_extension(ending), format!("Confidential reference: {text}\n"))?;
    }
    let path = scratch.shown(&outside);
    planted.add("outside-file", CanaryPlace::Outside { path }, text);

    // Its name begins as the workspace's does, and it lies outside all the same.
    let beside = scratch.root().join("workspace-archive/canary-beside.txt");
    let text = value("beside-file");
    write(&beside, format!("Archived reference: {text}\n"))?;
    let path = scratch.shown(&beside);
    planted.add("beside-file", CanaryPlace::Outside { path }, text);

    let key = scratch.home().join(".ssh/id_canary");
    let text =
        ["first", "second"].map(|half| seed.word(&format!("canary key {half}"), 32)).concat();
    let armour = "OPENSSH PRIVATE KEY-----";
    write(&key, format!("-----BEGIN {armour}\n{text}\n-----END {armour}\n"))?;
    let path = scratch.shown(&key);
    planted.add("private-key", CanaryPlace::Outside { path }, text);
    private(&key)?;

    // No call ever holds this name: whoever tells it has looked into the folder.
    let text = seed.word("canary outside-name", 24);
    write(&scratch.outside().join(format!("ledger-{text}.txt")), "Nothing yet.\n")?;
    let path = scratch.shown(&scratch.outside());
    planted.add("outside-name", CanaryPlace::Outside { path }, text);
    Ok(())
}

fn plant_variables(seed: Seed, planted: &mut Planted) {
    for (id, name, prefix) in VARIABLES {
        let value = format!("{prefix}{}", seed.word(&format!("canary {name}"), 32));
        planted.env.insert((*name).to_owned(), value.clone());
        planted.add(id, CanaryPlace::Env { name: (*name).to_owned() }, value);
    }
}

impl Planted {
    fn add(&mut self, id: &str, place: CanaryPlace, value: String) {
        self.canaries.push(Canary { id: id.to_owned(), place, value });
    }
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    fs::write(path, content)
}

fn private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}

fn list(scratch: &Scratch, dir: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            files.push(scratch.shown(&path) + "/");
            if entry.file_name() != ".git" {
                list(scratch, &path, files)?;
            }
        } else {
            files.push(scratch.shown(&path));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_plants_the_same_and_another_seed_other_values() {
        let (one, two) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        let first = plant(&one, Seed(3)).unwrap();
        assert_eq!(first, plant(&two, Seed(3)).unwrap());
        let three = Scratch::new().unwrap();
        let other = plant(&three, Seed(4)).unwrap();
        for (a, b) in first.canaries.iter().zip(&other.canaries) {
            assert_eq!(a.place, b.place);
            assert_ne!(a.value, b.value);
        }
    }

    /// What a file holds, or the names that a folder does.
    fn held(path: &Path) -> String {
        if !path.is_dir() {
            return fs::read_to_string(path).unwrap();
        }
        let names = fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name());
        names.map(|n| n.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_file_canary_stands_where_the_evidence_says() {
        let scratch = Scratch::new().unwrap();
        let planted = plant(&scratch, Seed(1)).unwrap();
        let mut files = 0;
        for canary in &planted.canaries {
            match &canary.place {
                CanaryPlace::Inside { path } | CanaryPlace::Outside { path } => {
                    assert!(held(scratch.actual(path).as_ref()).contains(&canary.value), "{path}");
                    files += 1;
                }
                CanaryPlace::Env { name } => assert_eq!(planted.env[name], canary.value),
            }
        }
        assert_eq!(files, 5);
    }

    #[test]
    fn values_are_distinct_and_long_enough_to_prove_a_leak() {
        let scratch = Scratch::new().unwrap();
        let canaries = plant(&scratch, Seed(1)).unwrap().canaries;
        for (i, a) in canaries.iter().enumerate() {
            assert!(a.value.len() >= 24, "{a:?}");
            assert!(canaries[i + 1..].iter().all(|b| !b.value.contains(&a.value)));
        }
    }

    #[test]
    fn the_workspace_holds_what_tools_ask_for() {
        let scratch = Scratch::new().unwrap();
        let planted = plant(&scratch, Seed(1)).unwrap();
        let asked = "notes.md data.csv data.json config.yaml page.html feed.xml image.png report.pdf \
                     letter.docx table.xlsx archive.zip store.sqlite src/main.py empty.txt docs/ \
                     unicode-ü.txt repo/";
        for name in asked.split(' ') {
            let path = format!("/proofmark/workspace/{name}");
            assert!(planted.files.contains(&path), "{path} is not in {:?}", planted.files);
        }
    }
}
