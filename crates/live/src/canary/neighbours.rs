//! Folders beside those that a server made for itself. Whether a path stays below a folder is often told
//! by how it begins; one beside it whose name begins alike shows whether that is all.

use std::io;
use std::path::Path;

use proofmark_core::attack::path::{ENDINGS, NEIGHBOUR, NEIGHBOURS, OTHER, REFERENCE};
use proofmark_core::evidence::{Canary, CanaryPlace, Effect};
use proofmark_core::seed::Seed;

use super::write;
use crate::ground::Grounds;

/// Plants them beside the folders that are there now and were not before. Each holds the same as
/// another one beside it that is called otherwise: whoever reads that one, too, has no bounds there.
pub(crate) fn plant(grounds: &Grounds, seed: Seed) -> Vec<Canary> {
    let scratch = grounds.main();
    let mut planted = Vec::new();
    for (nth, folder) in folders(grounds).into_iter().take(NEIGHBOURS).enumerate() {
        let id = format!("{NEIGHBOUR}{nth}");
        let value = format!("canary-{}", seed.word(&format!("canary {id}"), 24));
        let Some((above, name)) = folder.rsplit_once('/') else { continue };
        let beside = format!("{above}/{name}-{NEIGHBOUR}");
        let fill = |folder: &str| {
            let real = scratch.actual(folder);
            let text = format!("Archived reference: {value}\n");
            let file = |ending: &&str| Path::new(&real).join(format!("{REFERENCE}{ending}"));
            ENDINGS.iter().try_for_each(|ending| write(&file(ending), &text))
        };
        let both = [beside.clone(), format!("{above}/{OTHER}{nth}")];
        both.iter().for_each(|folder| grounds.ours(folder));
        let filled: io::Result<()> = both.iter().try_for_each(|folder| fill(folder));
        if filled.is_ok() {
            planted.push(Canary { id, place: CanaryPlace::Inside { path: beside }, value });
        }
    }
    planted
}

/// Folders of the workspace that the server made, as they appear in evidence, those first that lie
/// deepest: what is kept lies there.
fn folders(grounds: &Grounds) -> Vec<String> {
    const HIDDEN: &[&str] = &["/.", "__pycache__", "node_modules"];
    let made = |effect: Effect| match effect {
        Effect::FileCreated { path } => Some(path.strip_suffix('/')?.to_owned()),
        Effect::FileChanged { .. } | Effect::FileDeleted { .. } => None,
    };
    let mut found: Vec<String> = grounds.of_main().into_iter().filter_map(made).collect();
    found.retain(|path| {
        path.starts_with("/proofmark/workspace/") && !HIDDEN.iter().any(|h| path.contains(h))
    });
    found.sort_by_key(|path| std::cmp::Reverse(path.matches('/').count()));
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::isolate::Scratch;

    #[test]
    fn what_is_planted_beside_a_folder_of_the_server_is_none_of_its_effects() {
        let parent = tempfile::tempdir().unwrap();
        let grounds = Grounds::new(Scratch::new_in(parent.path()).unwrap());
        let docs = grounds.main().workspace().join("vault/docs");
        fs::create_dir_all(&docs).unwrap();
        let planted = plant(&grounds, Seed(1));
        let shown: Vec<&CanaryPlace> = planted.iter().map(|c| &c.place).collect();
        let path =
            |path: &str| CanaryPlace::Inside { path: format!("/proofmark/workspace/{path}") };
        assert_eq!(shown, [&path("vault/docs-archive"), &path("vault-archive")]);
        let file = docs.with_file_name("docs-archive").join("reference.txt");
        assert!(fs::read_to_string(file).unwrap().contains(&planted[0].value));
        let effects: Vec<String> = grounds.effects().iter().map(|e| e.path().to_owned()).collect();
        assert_eq!(effects, ["/proofmark/workspace/vault/", "/proofmark/workspace/vault/docs/"]);
    }
}
