//! The files of a project that directories of servers read: a few by text, the others by name.

use std::fs;
use std::path::Path;

use proofmark_core::preflight::Papers;

const LARGEST: u64 = 1 << 20;
const DEEPEST: usize = 4;
const MOST: usize = 5_000;
/// Folders that are made, not written.
const MADE: [&str; 6] = [".git", "node_modules", "target", ".venv", "venv", "__pycache__"];

pub fn papers(dir: &Path) -> Papers {
    let mut papers = Papers { given: true, ..Papers::default() };
    list(dir, "", 0, &mut papers);
    for name in Papers::WANTED {
        let path = dir.join(name);
        let small = fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= LARGEST);
        if let (true, Ok(text)) = (small, fs::read_to_string(&path)) {
            papers.texts.insert(name.to_owned(), text);
        }
    }
    papers
}

/// Links are not followed: they may lead anywhere, or round in circles.
fn list(dir: &Path, prefix: &str, depth: usize, papers: &mut Papers) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else { continue };
        if papers.names.len() >= MOST {
            return;
        }
        if kind.is_dir() && depth < DEEPEST && !MADE.contains(&name.as_str()) {
            list(&entry.path(), &format!("{prefix}{name}/"), depth + 1, papers);
        } else if kind.is_file() {
            papers.names.insert(format!("{prefix}{name}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_names_are_read_and_made_folders_are_not() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("server.json"), "{}").unwrap();
        for folder in ["img", "node_modules"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
            fs::write(dir.path().join(folder).join("icon.png"), "").unwrap();
        }
        let papers = papers(dir.path());
        assert_eq!(papers.text("server.json"), Some("{}"));
        let names: Vec<&str> = papers.names.iter().map(String::as_str).collect();
        assert_eq!(names, ["img/icon.png", "server.json"]);
    }
}
