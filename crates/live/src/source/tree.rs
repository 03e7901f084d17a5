//! A source tree: its README, its licence and its manifest.

use std::path::Path;

use proofmark_core::evidence::{Document, Source};

use super::{declared, files, lock, manifest, sizes};

const README_PLACES: &[&str] = &["", "docs", "doc", ".github"];
const LICENCE_LIMIT: u64 = 64 << 10;

/// `None` only when there is no such directory.
pub(super) fn read(dir: &Path, origin: String) -> Option<Source> {
    if !dir.is_dir() {
        return None;
    }
    Some(Source {
        origin,
        readme: readme(dir),
        licence: licence(dir),
        package: manifest::read(dir),
        manifests: declared::documents(dir),
        dependencies: lock::read(dir),
        sizes: sizes::count(dir),
    })
}

pub(super) fn readme(dir: &Path) -> Option<Document> {
    README_PLACES.iter().find_map(|place| {
        let mut found: Vec<(usize, String)> = files::entries(&dir.join(place))
            .iter()
            .filter_map(|path| Some((readme_rank(files::name(path))?, relative(place, path))))
            .collect();
        found.sort();
        found.into_iter().find_map(|(_, path)| document(dir, path, files::LIMIT))
    })
}

pub(super) fn licence(dir: &Path) -> Option<Document> {
    files::entries(dir)
        .iter()
        .filter(|path| is_licence(files::name(path)))
        .find_map(|path| document(dir, relative("", path), LICENCE_LIMIT))
}

/// Lower is better; `None` is no README. Translations (`README.de.md`) do not count.
fn readme_rank(name: &str) -> Option<usize> {
    const ENDINGS: &[&str] = &[".md", ".markdown", ".rst", ".txt", ""];
    let rest = name.to_lowercase().strip_prefix("readme")?.to_owned();
    ENDINGS.iter().position(|ending| rest == *ending)
}

pub(super) fn is_licence(name: &str) -> bool {
    let name = name.to_lowercase();
    ["license", "licence", "copying", "unlicense"].iter().any(|stem| {
        name.strip_prefix(stem)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
    })
}

fn document(dir: &Path, path: String, limit: u64) -> Option<Document> {
    let text = files::text_below(dir, &dir.join(&path), limit)?;
    (!text.trim().is_empty()).then_some(Document { path, text })
}

fn relative(place: &str, path: &Path) -> String {
    let name = files::name(path);
    if place.is_empty() { name.to_owned() } else { format!("{place}/{name}") }
}
