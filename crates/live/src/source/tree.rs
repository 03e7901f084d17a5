//! A source tree: its README, its licence and its manifest.

use std::path::Path;

use proofmark_core::evidence::{Around, Document, Source};
use proofmark_core::readme::Readme;

use super::{declared, files, lock, manifest, sizes};

const README_PLACES: &[&str] = &["", "docs", "doc", ".github"];
/// Forges show no more of one either.
const README_LIMIT: u64 = 500 << 10;
const LICENCE_LIMIT: u64 = 64 << 10;
const MOST_FILES: usize = 500;
const PAGE_LIMIT: u64 = 256 << 10;
const MOST_PAGES: usize = 10;

/// `None` only when there is no such directory.
pub(super) fn read(dir: &Path, origin: String) -> Option<Source> {
    if !dir.is_dir() {
        return None;
    }
    let readme = readme(dir);
    Some(Source {
        around: around(dir, readme.as_ref()),
        pages: readme.as_ref().map(|r| pages(dir, r)).unwrap_or_default(),
        origin,
        readme,
        licence: licence(dir),
        package: manifest::read(dir),
        manifests: declared::documents(dir),
        dependencies: lock::read(dir),
        sizes: sizes::count(dir),
        ..Source::default()
    })
}

/// Registries leave files out and resolve links against the repository, so what is installed can't
/// be blamed for what is missing.
fn around(dir: &Path, readme: Option<&Document>) -> Option<Around> {
    if dir.components().any(|c| c.as_os_str() == "node_modules") {
        return None;
    }
    let files = README_PLACES
        .iter()
        .flat_map(|place| {
            let files = files::entries(&dir.join(place)).into_iter().filter(|p| p.is_file());
            files.map(|path| relative(place, &path)).collect::<Vec<_>>()
        })
        .take(MOST_FILES)
        .collect();
    Some(Around { files, dead_links: readme.map(|r| dead_links(dir, r)).unwrap_or_default() })
}

/// A link that leaves the tree is not followed: what lies outside is nobody's business.
fn dead_links(dir: &Path, readme: &Document) -> Vec<String> {
    let home = dir.join(&readme.path);
    let beside = home.parent().unwrap_or(dir);
    let leads = |link: &str| {
        let from = if link.starts_with('/') { dir } else { beside };
        let path = link.trim_start_matches('/').split('/').try_fold(from.to_owned(), |at, part| {
            let next = if part == ".." { at.parent()?.to_owned() } else { at.join(part) };
            next.starts_with(dir).then_some(next)
        });
        path.is_none_or(|path| path.exists())
    };
    let links = Readme::parse(&readme.text).relative_links();
    links.into_iter().filter(|link| !leads(link)).take(MOST_FILES).collect()
}

/// Pages of documentation that the README leads to. Packages may ship them with what was built.
fn pages(dir: &Path, readme: &Document) -> Vec<Document> {
    const OTHER: &[&str] =
        &["readme", "changelog", "contributing", "security", "code_of_conduct", "licen"];
    let beside = Path::new(&readme.path).parent().unwrap_or(Path::new(""));
    let links = Readme::parse(&readme.text).relative_links();
    let wanted = links.iter().filter(|link| {
        let name = link.rsplit('/').next().unwrap_or(link).to_lowercase();
        name.ends_with(".md") && !OTHER.iter().any(|other| name.starts_with(other))
    });
    let places = ["", "dist", "build"];
    wanted
        .filter_map(|link| {
            let link = link.trim_start_matches('/');
            let paths = places.iter().map(|place| Path::new(place).join(beside).join(link));
            paths.map(|p| p.display().to_string()).find_map(|p| document(dir, p, PAGE_LIMIT))
        })
        .take(MOST_PAGES)
        .collect()
}

pub(super) fn readme(dir: &Path) -> Option<Document> {
    README_PLACES.iter().find_map(|place| {
        let mut found: Vec<(usize, String)> = files::entries(&dir.join(place))
            .iter()
            .filter_map(|path| Some((readme_rank(files::name(path))?, relative(place, path))))
            .collect();
        found.sort();
        found.into_iter().find_map(|(_, path)| document(dir, path, README_LIMIT))
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
