//! Facts from source trees and installed packages. Files are only read, never run, and every
//! read is bounded: what lies on disk was written by others.

mod code;
mod command;
mod declared;
mod distribution;
mod files;
mod lock;
mod manifest;
mod npm;
mod papers;
mod python;
mod sizes;
mod tree;

pub use papers::papers;

use std::path::Path;

use proofmark_core::event::Watcher;
use proofmark_core::evidence::{Distribution, Source};
use proofmark_core::target::Target;

/// What a source tree, or the package installed behind a command, says of itself.
///
/// `dir` is a tree that the user named; it wins. Without one the package behind a stdio command is
/// looked for on this machine. `None`: there is nothing to read, which is not the server's fault.
pub fn read(target: &Target, dir: Option<&Path>) -> Option<Source> {
    if let Some(dir) = dir {
        return tree::read(dir, dir.display().to_string());
    }
    match target {
        Target::Source { dir } => tree::read(Path::new(dir), dir.clone()),
        Target::Stdio { command, args, env, cwd } => {
            command::Line::new(command, args, env, cwd.as_deref()).source()
        }
        Target::Http { .. } | Target::Sse { .. } => None,
    }
}

/// What takes longer: the code of a tree that the user named, and how people get the server.
pub fn study(target: &Target, dir: Option<&Path>, source: &mut Source, watcher: &Watcher) {
    let tree = dir.or(match target {
        Target::Source { dir } => Some(Path::new(dir)),
        Target::Stdio { .. } | Target::Http { .. } | Target::Sse { .. } => None,
    });
    match tree {
        Some(dir) => {
            source.distribution = distribution::of(dir);
            source.code = Some(code::read(dir, watcher));
        }
        None => {
            let ecosystem = source.package.as_ref().map(|p| p.ecosystem.as_str());
            source.distribution = ecosystem.and_then(published).into_iter().collect();
        }
    }
}

fn published(ecosystem: &str) -> Option<Distribution> {
    match ecosystem {
        "npm" => Some(Distribution::Npm),
        "pypi" => Some(Distribution::Pypi),
        "crate" => Some(Distribution::Crate),
        "go" => Some(Distribution::Go),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
