//! Lock files: which packages, in which versions. Each format has a parser of its own, from text
//! to packages; none of them resolves or fetches anything.

mod cargo;
mod go;
mod installed;
mod npm;
mod pnpm;
mod python;
mod yarn;

pub(super) use installed::distributions;

use std::collections::BTreeSet;
use std::path::Path;

use proofmark_core::evidence::{Dependencies, Ecosystem, LockFile, LockFormat, Locked};

use super::{declared, files};

/// Lock files of large projects reach several megabytes.
const LIMIT: u64 = 32 << 20;
const MAX_PACKAGES: usize = 20_000;

type Parse = fn(&str) -> Result<Vec<Locked>, String>;

/// By file name. The first of an ecosystem wins: a tree may carry a stale second one.
const FORMATS: &[(&str, Ecosystem, LockFormat, Parse)] = &[
    ("package-lock.json", Ecosystem::Npm, LockFormat::PackageLock, npm::parse),
    ("npm-shrinkwrap.json", Ecosystem::Npm, LockFormat::PackageLock, npm::parse),
    ("pnpm-lock.yaml", Ecosystem::Npm, LockFormat::Pnpm, pnpm::parse),
    ("yarn.lock", Ecosystem::Npm, LockFormat::Yarn, yarn::parse),
    ("uv.lock", Ecosystem::Pypi, LockFormat::Uv, python::uv),
    ("poetry.lock", Ecosystem::Pypi, LockFormat::Poetry, python::poetry),
    ("requirements.txt", Ecosystem::Pypi, LockFormat::Requirements, python::requirements),
    ("Cargo.lock", Ecosystem::Crate, LockFormat::Cargo, cargo::parse),
    ("go.mod", Ecosystem::Go, LockFormat::GoMod, go::parse),
];

/// What the lock files of a tree name, or what is installed around a package without any.
pub(super) fn read(dir: &Path) -> Option<Dependencies> {
    let mut locks: Vec<LockFile> = Vec::new();
    let mut seen: Vec<Ecosystem> = Vec::new();
    for (name, ecosystem, format, parse) in FORMATS {
        if seen.contains(ecosystem) {
            continue;
        }
        let Some(text) = files::text_below(dir, &dir.join(name), LIMIT) else { continue };
        seen.push(*ecosystem);
        let cut = text.len() as u64 >= LIMIT;
        locks.push(lock(
            (*name).to_owned(),
            *format,
            if cut { Err(too_long()) } else { parse(&text) },
        ));
    }
    if locks.is_empty() {
        locks.extend(installed::modules(dir));
    }
    let names = declared::names(dir);
    for package in locks.iter_mut().flat_map(|l| &mut l.packages) {
        package.direct |=
            names.contains(&(package.ecosystem, package.ecosystem.normal(&package.name)));
    }
    (!locks.is_empty()).then_some(Dependencies { locks, advisories: None })
}

fn too_long() -> String {
    format!("it is longer than {} MiB", LIMIT >> 20)
}

/// Ordered, each package once.
fn lock(path: String, format: LockFormat, parsed: Result<Vec<Locked>, String>) -> LockFile {
    let (packages, problem) = match parsed {
        Ok(packages) => (packages, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let mut packages: Vec<Locked> =
        packages.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    let dropped = packages.len().saturating_sub(MAX_PACKAGES);
    packages.truncate(MAX_PACKAGES);
    let problem = match dropped {
        0 => problem,
        n => Some(format!("{n} packages beyond {MAX_PACKAGES} were not looked at")),
    };
    LockFile { path, format, packages, problem }
}

#[cfg(test)]
mod tests;
