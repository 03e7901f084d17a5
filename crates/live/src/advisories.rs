//! Advisories about the packages a server is built from: a database on disk, or the OSV service
//! where the user allows it. Nothing is looked up unless the user says where.

mod database;
mod record;
mod service;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proofmark_core::evidence::{Advisories, Advisory, Dependencies, Ecosystem};

use record::Record;

/// Where advisories are looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// OSV records: a JSON file, a zip archive of them, or a directory with either.
    Path(PathBuf),
    /// The address of a service that speaks the OSV API.
    Service(String),
}

impl Lookup {
    pub const PUBLIC: &str = "https://api.osv.dev";
}

/// Adds to the packages what is known about them.
pub(crate) async fn look_up(dependencies: &mut Dependencies, lookup: &Lookup) {
    let wanted = Wanted::of(dependencies);
    let mut found = match lookup {
        Lookup::Path(path) => database::search(path, &wanted),
        Lookup::Service(base) => service::search(base, &wanted).await,
    };
    found.records.sort_by(|a, b| a.id.cmp(&b.id));
    found.records.dedup_by(|a, b| a.id == b.id);
    dependencies.advisories = Some(found);
}

/// The packages that are asked about, with their exact versions.
struct Wanted {
    packages: BTreeMap<(Ecosystem, String), BTreeSet<String>>,
}

impl Wanted {
    fn of(dependencies: &Dependencies) -> Wanted {
        let mut packages: BTreeMap<(Ecosystem, String), BTreeSet<String>> = BTreeMap::new();
        for (_, package) in dependencies.packages() {
            let name = package.ecosystem.normal(&package.name);
            packages.entry((package.ecosystem, name)).or_default().extend(package.version.clone());
        }
        Wanted { packages }
    }

    fn has_kind(&self, ecosystem: Ecosystem) -> bool {
        self.packages.keys().any(|(kind, _)| *kind == ecosystem)
    }

    /// The advisory reduced to our packages; `None` if it names none of them.
    fn advisory(&self, record: Record) -> Option<Advisory> {
        let mut advisory = record.advisory()?;
        advisory.affected.retain_mut(|affected| {
            let key = (affected.ecosystem, affected.ecosystem.normal(&affected.name));
            let Some(versions) = self.packages.get(&key) else { return false };
            // Some list every release there was; only ours matter.
            let ours = |listed: &String| versions.iter().any(|v| same(v, listed));
            affected.versions.retain(ours);
            true
        });
        (!advisory.affected.is_empty()).then_some(advisory)
    }
}

/// `1.0` and `1.0.0` may be one version; which they are is judged later, by the ecosystem's rules.
fn same(ours: &str, listed: &str) -> bool {
    let bare = |v: &str| v.trim_end_matches(".0").to_owned();
    ours == listed || bare(ours) == bare(listed)
}

fn failed(origin: String, problem: String) -> Advisories {
    Advisories { origin, problem: Some(problem), ..Advisories::default() }
}

#[cfg(test)]
mod tests;
