//! Own or inherited: whether minimal servers on the same SDK show a fault too. Data in
//! `spec/sdks.toml`, recorded by `scripts/record-sdks`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RevisionSet;
use crate::check::Confidence;
use crate::report::SdkSummary;
use crate::revision::Revision;
use crate::target::Transport;

/// Packages that go on under another name.
const SUCCESSORS: &[(&str, &str)] =
    &[("@modelcontextprotocol/sdk (TypeScript)", "@modelcontextprotocol/server (TypeScript)")];

/// Which revision shows these is the clock's doing: one that fails speaks for all.
const RACES: &[&str] = &["CANC-03", "RPC-15"];

/// Where a fault comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// A minimal server on the SDK does better: the author can fix it.
    Own,
    /// A minimal server on the SDK shows the same.
    Inherited {
        sdk: String,
        /// The first release known to do it right.
        #[serde(skip_serializing_if = "Option::is_none")]
        fixed_in: Option<String>,
    },
    /// The SDK is not known, or the minimal servers on it were not seen at it.
    Unknown,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Own => f.write_str("own"),
            Origin::Inherited { sdk, fixed_in: None } => write!(f, "inherited from {sdk}"),
            Origin::Inherited { sdk, fixed_in: Some(release) } => {
                write!(f, "inherited from {sdk}, fixed in {release}")
            }
            Origin::Unknown => f.write_str("of unknown origin"),
        }
    }
}

/// A fault as it is looked up.
#[derive(Debug, Clone, Copy)]
pub struct Fault<'a> {
    pub requirement: &'a str,
    pub revision: Revision,
    pub transport: Transport,
    /// Tolerated only, not failed.
    pub partial: bool,
}

/// Whether the SDK is to blame for it.
pub fn origin(sdk: Option<&SdkSummary>, fault: &Fault<'_>) -> Origin {
    match sdk.filter(|s| s.confidence > Confidence::Low) {
        Some(sdk) => recorded().origin(sdk, fault),
        None => Origin::Unknown,
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recorded {
    baseline: Vec<Baseline>,
}

impl Recorded {
    /// Where several versions come into question, they have to agree.
    fn origin(&self, sdk: &SdkSummary, fault: &Fault<'_>) -> Origin {
        let near: Vec<(&Version, Seen)> = like(sdk.version.as_deref(), &self.releases(&sdk.name))
            .into_iter()
            .filter_map(|v| Some((v, self.seen(&sdk.name, v, fault)?)))
            .collect();
        let Some((version, _)) = near.last() else { return Origin::Unknown };
        let as_bad = if fault.partial { Seen::Tolerated } else { Seen::Fails };
        match near.iter().filter(|(_, seen)| *seen <= as_bad).count() {
            0 => Origin::Own,
            all if all == near.len() => Origin::Inherited {
                sdk: told(&sdk.name, version),
                fixed_in: self.fixed_in(&sdk.name, version, fault),
            },
            _ => Origin::Unknown,
        }
    }

    /// The first newer release, of this package or its successor, that is seen doing it right.
    fn fixed_in(&self, name: &str, version: &Version, fault: &Fault<'_>) -> Option<String> {
        let right = |name: &str, v: &&Version| self.seen(name, v, fault) == Some(Seen::Passes);
        let newer = self.releases(name).into_iter().find(|v| *v > version && right(name, v));
        newer.map(|v| told(name, v)).or_else(|| {
            let (_, next) = SUCCESSORS.iter().find(|(before, _)| *before == name)?;
            self.releases(next).into_iter().find(|v| right(next, v)).map(|v| told(next, v))
        })
    }

    /// The worst that minimal servers on this version showed; `None` where it could not be seen.
    fn seen(&self, name: &str, version: &Version, fault: &Fault<'_>) -> Option<Seen> {
        self.baseline
            .iter()
            .filter(|b| b.sdk == name && b.version == *version && b.transport == fault.transport)
            .filter_map(|b| b.seen(fault))
            .min()
    }

    /// Oldest first.
    fn releases(&self, name: &str) -> Vec<&Version> {
        let of_it = self.baseline.iter().filter(|b| b.sdk == name);
        of_it.map(|b| &b.version).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// `mcp (Python)` is `mcp` to whoever upgrades it.
fn told(name: &str, version: &Version) -> String {
    let package = name.split_once(" (").map_or(name, |(package, _)| package);
    format!("{package} {}", version.text)
}

/// The recorded versions to compare with: the same, else the neighbours in the same major version,
/// else all that it can be.
fn like<'a>(wanted: Option<&str>, known: &[&'a Version]) -> Vec<&'a Version> {
    let wanted = wanted.map(numbers).unwrap_or_default();
    let Some(major) = wanted.first() else { return known.to_vec() };
    let same: Vec<&Version> =
        known.iter().copied().filter(|v| v.numbers.first() == Some(major)).collect();
    if wanted.len() == 1 {
        return same;
    }
    let below = same.iter().rfind(|v| v.numbers <= wanted);
    let above = same.iter().find(|v| v.numbers >= wanted);
    let mut near: Vec<&Version> = below.into_iter().chain(above).copied().collect();
    near.dedup();
    near
}

/// Worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Fails,
    Tolerated,
    Passes,
}

/// One minimal server on one transport.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    /// As [`crate::sdk`] names it.
    sdk: String,
    version: Version,
    transport: Transport,
    fails: ByRevisions,
    tolerated: ByRevisions,
    passes: ByRevisions,
}

type ByRevisions = BTreeMap<RevisionSet, Vec<String>>;

impl Baseline {
    fn seen(&self, fault: &Fault<'_>) -> Option<Seen> {
        let race = RACES.contains(&fault.requirement);
        let holds = |map: &ByRevisions| {
            map.iter().any(|(revisions, ids)| {
                (race || revisions.has(fault.revision))
                    && ids.iter().any(|id| id == fault.requirement)
            })
        };
        let kinds = [
            (Seen::Fails, &self.fails),
            (Seen::Tolerated, &self.tolerated),
            (Seen::Passes, &self.passes),
        ];
        kinds.into_iter().find(|(_, map)| holds(map)).map(|(seen, _)| seen)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
struct Version {
    numbers: Vec<u64>,
    text: String,
}

impl From<String> for Version {
    fn from(text: String) -> Version {
        Version { numbers: numbers(&text), text }
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        (&self.numbers, &self.text).cmp(&(&other.numbers, &other.text))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `1.30.0` and the `1` of `1.x`.
fn numbers(version: &str) -> Vec<u64> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

pub(super) fn recorded() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    // A test reads the data; what can't be read in a release build does not exist there.
    RECORDED.get_or_init(|| parse().unwrap_or_default())
}

fn parse() -> Result<Recorded, toml::de::Error> {
    toml::from_str(include_str!("../../spec/sdks.toml"))
}

#[cfg(test)]
mod tests;
