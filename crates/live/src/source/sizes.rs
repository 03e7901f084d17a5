//! How long the source files of a tree are.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use proofmark_core::evidence::{FileLines, Sizes};

use super::files;

/// Shorter ones are nobody's concern.
const LONG: u32 = 500;
const SHOWN: usize = 100;
const MAX_FILES: usize = 20_000;
const MAX_BYTES: u64 = 4 << 20;
const DEPTH: usize = 16;

const ENDINGS: &[&str] = &[
    "ts", "tsx", "js", "mjs", "cjs", "jsx", "py", "go", "rs", "java", "cs", "rb", "php", "kt",
    "swift",
];
/// Dependencies, build output and what tests record.
const SKIPPED: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    "out",
    "vendor",
    "venv",
    "site-packages",
    "__pycache__",
    "coverage",
    "generated",
];

/// `None`: it is an installed package, or there is no source.
pub(super) fn count(dir: &Path) -> Option<Sizes> {
    if dir.components().any(|c| SKIPPED[..1].iter().any(|skip| c.as_os_str() == *skip)) {
        return None;
    }
    let mut open = vec![(dir.to_owned(), DEPTH)];
    let mut sizes = Sizes::default();
    let mut seen = 0usize;
    while let Some((place, depth)) = open.pop() {
        for path in files::entries(&place) {
            seen += 1;
            let (name, link) = (files::name(&path), path.is_symlink());
            if seen > MAX_FILES || link || name.starts_with('.') {
                continue;
            }
            if path.is_dir() {
                if depth > 0 && !SKIPPED.contains(&name) {
                    open.push((path, depth - 1));
                }
            // A pipe would wait for a writer forever.
            } else if path.is_file() && is_source(&path) {
                add(&mut sizes, dir, &path);
            }
        }
    }
    sizes.long.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.path.cmp(&b.path)));
    sizes.long.truncate(SHOWN);
    sizes.long.sort_by(|a, b| a.path.cmp(&b.path));
    (sizes.files > 0).then_some(sizes)
}

fn is_source(path: &Path) -> bool {
    let name = files::name(path);
    let built = name.contains(".min.") || name.contains(".bundle.") || name.contains(".gen.");
    let ending = path.extension().and_then(|e| e.to_str());
    !built && ending.is_some_and(|e| ENDINGS.contains(&e))
}

fn add(sizes: &mut Sizes, dir: &Path, path: &PathBuf) {
    let mut bytes = Vec::new();
    let read = File::open(path).map(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    if !matches!(read, Ok(Ok(_))) || bytes.contains(&0) {
        return;
    }
    sizes.files += 1;
    let lines = u32::try_from(bytes.iter().filter(|b| **b == b'\n').count()).unwrap_or(u32::MAX);
    if lines > LONG {
        let path = path.strip_prefix(dir).unwrap_or(path).display().to_string();
        sizes.long.push(FileLines { path, lines });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_files_of_the_tree_itself_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let long = "x\n".repeat(700);
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for name in ["src/a.ts", "node_modules/b/b.js", "dist/c.js", "d.min.js", "e.md", ".f/g.py"]
        {
            write(name, &long);
        }
        write("src/short.py", "x\n");
        let sizes = count(dir.path()).unwrap();
        assert_eq!(sizes.files, 2);
        assert_eq!(sizes.long, [FileLines { path: "src/a.ts".to_owned(), lines: 700 }]);
        assert_eq!(count(&dir.path().join("node_modules/b")), None);
    }
}
