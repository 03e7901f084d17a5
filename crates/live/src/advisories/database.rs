//! Advisories on disk: JSON files of the OSV format, loose or in zip archives, as its exports are.

use std::fs::{DirEntry, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use proofmark_core::evidence::Advisories;

use super::record::Record;
use super::{Wanted, failed};

const MAX_BYTES: u64 = 16 << 20;
const MAX_FILES: usize = 1_000_000;
const DEPTH: usize = 8;

/// Reads all there is; a record that is none is counted and told.
pub(super) fn search(path: &Path, wanted: &Wanted) -> Advisories {
    let origin = path.display().to_string();
    if !path.exists() {
        return failed(origin, "there is no such file or directory".to_owned());
    }
    let mut search = Search {
        wanted,
        found: Advisories { origin, ..Advisories::default() },
        odd: 0,
        files: 0,
        searched: 0,
    };
    search.walk(path, DEPTH);
    let Search { mut found, odd, files, searched, .. } = search;
    found.searched = Some(searched);
    found.problem = match (searched, odd) {
        (0, _) => Some(format!("among its {files} files there is no advisory about such packages")),
        (_, 0) => None,
        (_, odd) => Some(format!("{odd} of its {files} files are no OSV records")),
    };
    found
}

struct Search<'a> {
    wanted: &'a Wanted,
    found: Advisories,
    odd: usize,
    files: usize,
    /// Advisories about packages of the kinds asked for.
    searched: usize,
}

impl Search<'_> {
    fn walk(&mut self, path: &Path, depth: usize) {
        if path.is_dir() {
            let Ok(listing) = std::fs::read_dir(path) else { return };
            // Links could lead round in circles.
            let real = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_symlink());
            let mut entries: Vec<PathBuf> =
                listing.take(MAX_FILES).flatten().filter(real).map(|entry| entry.path()).collect();
            // Two files may hold one advisory: the same one wins in every run.
            entries.sort();
            for entry in entries {
                if depth > 0 && self.files < MAX_FILES {
                    self.walk(&entry, depth - 1);
                }
            }
            return;
        }
        match path.extension().and_then(|e| e.to_str()) {
            Some("json") => match File::open(path) {
                Ok(file) => self.record(file),
                Err(_) => self.odd += 1,
            },
            Some("zip") => self.archive(path),
            Some(_) | None => {}
        }
    }

    fn archive(&mut self, path: &Path) {
        let file = File::open(path).ok().map(BufReader::new);
        let Some(mut archive) = file.and_then(|file| zip::ZipArchive::new(file).ok()) else {
            self.files += 1;
            self.odd += 1;
            return;
        };
        for n in 0..archive.len().min(MAX_FILES) {
            match archive.by_index(n) {
                Ok(entry) if entry.name().is_ok_and(|n| n.ends_with(".json")) => self.record(entry),
                Ok(_) => {}
                Err(_) => self.odd += 1,
            }
        }
    }

    fn record(&mut self, from: impl Read) {
        self.files += 1;
        let mut bytes = Vec::new();
        let read = from.take(MAX_BYTES).read_to_end(&mut bytes);
        let record = read.ok().and_then(|_| serde_json::from_slice::<Record>(&bytes).ok());
        let Some(record) = record else {
            self.odd += 1;
            return;
        };
        if record.ecosystems().any(|kind| self.wanted.has_kind(kind)) {
            self.searched += 1;
            self.found.records.extend(self.wanted.advisory(record));
        }
    }
}
