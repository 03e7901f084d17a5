//! A record of the OSV format, as far as it is used.

use std::collections::BTreeMap;

use proofmark_core::evidence::{Advisory, Affected, Bound, Ecosystem, Rating};
use serde::Deserialize;
use serde_json::Value;

/// One line of the summary is enough to know what it is about.
const SUMMARY: usize = 200;

#[derive(Debug, Deserialize)]
pub(super) struct Record {
    id: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    details: String,
    #[serde(default)]
    withdrawn: Option<String>,
    #[serde(default)]
    severity: Vec<Scored>,
    #[serde(default)]
    affected: Vec<RawAffected>,
    #[serde(default)]
    database_specific: Value,
}

#[derive(Debug, Deserialize)]
struct Scored {
    #[serde(default)]
    score: String,
}

#[derive(Debug, Deserialize)]
struct RawAffected {
    package: Option<RawPackage>,
    #[serde(default)]
    ranges: Vec<RawRange>,
    #[serde(default)]
    versions: Vec<String>,
    #[serde(default)]
    database_specific: Value,
}

#[derive(Debug, Deserialize)]
struct RawPackage {
    ecosystem: String,
    name: String,
}

#[derive(Debug, Deserialize)]
struct RawRange {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    events: Vec<BTreeMap<String, String>>,
}

impl Record {
    pub(super) fn ecosystems(&self) -> impl Iterator<Item = Ecosystem> {
        let of = |a: &RawAffected| Ecosystem::of_osv(&a.package.as_ref()?.ecosystem);
        self.affected.iter().filter_map(of)
    }

    /// `None`: it was taken back.
    pub(super) fn advisory(self) -> Option<Advisory> {
        if self.withdrawn.is_some() {
            return None;
        }
        let rating = self.rating();
        let text = if self.summary.is_empty() { &self.details } else { &self.summary };
        let line = text.lines().map(|l| l.trim_start_matches('#').trim()).find(|l| !l.is_empty());
        Some(Advisory {
            summary: line.unwrap_or_default().chars().take(SUMMARY).collect(),
            rating,
            affected: self.affected.into_iter().filter_map(affected).collect(),
            id: self.id,
            aliases: self.aliases,
        })
    }

    fn rating(&self) -> Rating {
        if self.id.starts_with("MAL-") {
            return Rating::Malicious;
        }
        match self.informal() {
            Some("unsound") => return Rating::Low,
            Some(_) => return Rating::Notice,
            None => {}
        }
        let said = self.database_specific.get("severity").and_then(Value::as_str);
        match said.map(str::to_uppercase).as_deref() {
            Some("CRITICAL") => Rating::Critical,
            Some("HIGH") => Rating::High,
            Some("MODERATE" | "MEDIUM") => Rating::Moderate,
            Some("LOW") => Rating::Low,
            Some(_) | None => self.severity.iter().find_map(|s| cvss(&s.score)).unwrap_or_default(),
        }
    }
}

impl Record {
    /// The kind of notice that it is for all it names; else one of them has a real flaw.
    fn informal(&self) -> Option<&str> {
        let of = |a: &'_ RawAffected| a.database_specific.get("informational").is_some();
        let all = self.affected.iter().all(of);
        self.affected.first().filter(|_| all)?.database_specific.get("informational")?.as_str()
    }
}

fn affected(raw: RawAffected) -> Option<Affected> {
    let package = raw.package?;
    let ecosystem = Ecosystem::of_osv(&package.ecosystem)?;
    let bound = |(kind, at): (&String, &String)| match kind.as_str() {
        "introduced" => Some(Bound::Introduced(at.clone())),
        "fixed" => Some(Bound::Fixed(at.clone())),
        "last_affected" => Some(Bound::LastAffected(at.clone())),
        _ => None,
    };
    // Ranges of commits say nothing about releases.
    let ranges = raw.ranges.iter().filter(|range| range.kind != "GIT");
    Some(Affected {
        ecosystem,
        name: package.name,
        versions: raw.versions,
        ranges: ranges
            .map(|range| range.events.iter().flatten().filter_map(bound).collect())
            .collect(),
    })
}

/// The level of the base score of a CVSS vector of version 3, by the formula of its standard.
fn cvss(vector: &str) -> Option<Rating> {
    if !vector.starts_with("CVSS:3") {
        return None;
    }
    let metrics: BTreeMap<&str, &str> =
        vector.split('/').filter_map(|metric| metric.split_once(':')).collect();
    let of = |name: &str, values: &[(&str, f64)]| {
        let value = metrics.get(name)?;
        values.iter().find(|(letter, _)| letter == value).map(|(_, weight)| *weight)
    };
    let changed = *metrics.get("S")? == "C";
    let impact = |name| of(name, &[("H", 0.56), ("L", 0.22), ("N", 0.0)]);
    let lost = 1.0 - (1.0 - impact("C")?) * (1.0 - impact("I")?) * (1.0 - impact("A")?);
    let rights = if changed { [0.68, 0.5] } else { [0.62, 0.27] };
    let ease = 8.22
        * of("AV", &[("N", 0.85), ("A", 0.62), ("L", 0.55), ("P", 0.2)])?
        * of("AC", &[("L", 0.77), ("H", 0.44)])?
        * of("PR", &[("N", 0.85), ("L", rights[0]), ("H", rights[1])])?
        * of("UI", &[("N", 0.85), ("R", 0.62)])?;
    let harm =
        if changed { 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02).powi(15) } else { 6.42 * lost };
    let sum = if changed { 1.08 * (harm + ease) } else { harm + ease };
    let score = if harm <= 0.0 { 0.0 } else { (sum.min(10.0) * 10.0 - 1e-6).ceil() / 10.0 };
    Some(match score {
        s if s >= 9.0 => Rating::Critical,
        s if s >= 7.0 => Rating::High,
        s if s >= 4.0 => Rating::Moderate,
        s if s > 0.0 => Rating::Low,
        _ => Rating::Notice,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_a_vector_follows_the_standard() {
        let of = |v: &str| cvss(&format!("CVSS:3.1/{v}"));
        assert_eq!(of("AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"), Some(Rating::Critical));
        assert_eq!(of("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"), Some(Rating::High));
        assert_eq!(of("AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N"), Some(Rating::Moderate));
        assert_eq!(of("AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N"), Some(Rating::Low));
        assert_eq!(of("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N"), Some(Rating::Notice));
        assert_eq!(of("AV:X"), None);
        assert_eq!(cvss("CVSS:4.0/AV:N"), None);
    }

    #[test]
    fn a_notice_about_one_package_does_not_excuse_a_flaw_in_another() {
        let of = |second: &str| {
            let text = format!(
                r#"{{"id": "RUSTSEC-1", "affected": [
                    {{"package": {{"ecosystem": "crates.io", "name": "a"}}, "database_specific": {{"informational": "unmaintained"}}}},
                    {{"package": {{"ecosystem": "crates.io", "name": "b"}}, "database_specific": {second}}}]}}"#
            );
            serde_json::from_str::<Record>(&text).unwrap().rating()
        };
        assert_eq!(of("{}"), Rating::Unrated);
        assert_eq!(of(r#"{"informational": "notice"}"#), Rating::Notice);
    }
}
