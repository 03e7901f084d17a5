//! Whether a version lies in what an advisory is about, by the rules of its ecosystem.

use std::cmp::Ordering;

use crate::evidence::{Advisories, Advisory, Affected, Bound, Ecosystem, Locked};

/// What is known about one package in its version, the worst first. Databases carry the same flaw
/// under several names; it is told once.
pub fn known<'a>(
    advisories: &'a Advisories,
    package: &Locked,
) -> Vec<(&'a Advisory, &'a Affected)> {
    let Some(version) = package.version.as_deref() else { return Vec::new() };
    let name = package.ecosystem.normal(&package.name);
    let about = |a: &&Affected| {
        a.ecosystem == package.ecosystem
            && a.ecosystem.normal(&a.name) == name
            && is_affected(version, a) == Some(true)
    };
    let mut found: Vec<(&Advisory, &Affected)> = advisories
        .records
        .iter()
        .filter_map(|r| Some((r, r.affected.iter().find(about)?)))
        .collect();
    found.sort_by(|a, b| b.0.rating.cmp(&a.0.rating).then(a.0.id.cmp(&b.0.id)));
    let mut told: Vec<&str> = Vec::new();
    found.retain(|(advisory, _)| {
        let names = || advisory.aliases.iter().chain([&advisory.id]).map(String::as_str);
        let new = !names().any(|name| told.contains(&name));
        told.extend(names());
        new
    });
    found
}

/// The highest of several versions.
pub fn highest<'a>(ecosystem: Ecosystem, texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let read = texts.filter_map(|text| Some((Version::parse(ecosystem, text)?, text)));
    read.max_by(|a, b| a.0.order(&b.0)).map(|(_, text)| text)
}

/// `None`: the version can't be read, so nothing can be said.
pub fn is_affected(version: &str, affected: &Affected) -> Option<bool> {
    let ecosystem = affected.ecosystem;
    if affected.versions.iter().any(|v| v == version) {
        return Some(true);
    }
    let Some(ours) = Version::parse(ecosystem, version) else {
        // A list without ranges is complete in itself.
        return affected.ranges.is_empty().then_some(false);
    };
    let listed = affected.versions.iter().filter_map(|v| Version::parse(ecosystem, v));
    let same = |v: Version| v.order(&ours) == Ordering::Equal;
    Some(
        listed.into_iter().any(same) || affected.ranges.iter().any(|r| covers(r, &ours, ecosystem)),
    )
}

/// The first version after `version` that mends it, where the advisory names one.
pub fn fixed_in<'a>(version: &str, affected: &'a Affected) -> Option<&'a str> {
    let read = |text| Version::parse(affected.ecosystem, text);
    let ours = read(version)?;
    let fixes = affected.ranges.iter().flatten().filter_map(|bound| match bound {
        Bound::Fixed(text) => Some((read(text)?, text.as_str())),
        Bound::Introduced(_) | Bound::LastAffected(_) => None,
    });
    let later = fixes.filter(|(v, _)| v.order(&ours) == Ordering::Greater);
    later.min_by(|a, b| a.0.order(&b.0)).map(|(_, text)| text)
}

/// The last bound at or before the version decides. Bounds come in any order.
fn covers(range: &[Bound], ours: &Version, ecosystem: Ecosystem) -> bool {
    let mut decided: Option<(Option<Version>, bool)> = None;
    for bound in range {
        let (text, inside) = match bound {
            Bound::Introduced(text) => (text, true),
            Bound::Fixed(text) => (text, false),
            Bound::LastAffected(text) => (text, false),
        };
        let at = Version::parse(ecosystem, text);
        let reached = match (&at, text.as_str(), bound) {
            (_, "0", Bound::Introduced(_)) => true,
            (Some(at), _, Bound::LastAffected(_)) => at.order(ours) == Ordering::Less,
            (Some(at), _, Bound::Introduced(_) | Bound::Fixed(_)) => {
                at.order(ours) != Ordering::Greater
            }
            (None, ..) => false,
        };
        let at = at.filter(|_| text != "0");
        let later = match &decided {
            None => true,
            Some((None, _)) => true,
            Some((Some(before), _)) => {
                at.as_ref().is_some_and(|at| at.order(before) != Ordering::Less)
            }
        };
        if reached && later {
            decided = Some((at, inside));
        }
    }
    decided.is_some_and(|(_, inside)| inside)
}

enum Version {
    Semver(semver::Version),
    Pep440(pep440_rs::Version),
}

impl Version {
    fn parse(ecosystem: Ecosystem, text: &str) -> Option<Version> {
        match ecosystem {
            Ecosystem::Pypi => text.parse().ok().map(Version::Pep440),
            Ecosystem::Npm | Ecosystem::Crate | Ecosystem::Go => semver(text).map(Version::Semver),
        }
    }

    /// Build metadata does not count.
    fn order(&self, other: &Version) -> Ordering {
        match (self, other) {
            (Version::Semver(a), Version::Semver(b)) => a.cmp_precedence(b),
            (Version::Pep440(a), Version::Pep440(b)) => a.cmp(b),
            (Version::Semver(_), Version::Pep440(_)) => Ordering::Less,
            (Version::Pep440(_), Version::Semver(_)) => Ordering::Greater,
        }
    }
}

/// Go writes `v1.2.3`, and advisories write `1.2`.
fn semver(text: &str) -> Option<semver::Version> {
    let text = text.trim().trim_start_matches(['v', '=']);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (core, rest) = text.split_at(end);
    let missing = 2usize.checked_sub(core.matches('.').count())?;
    semver::Version::parse(&format!("{core}{}{rest}", ".0".repeat(missing))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Rating;
    use proptest::prelude::*;

    fn affected(ecosystem: Ecosystem, bounds: &[(&str, &str)]) -> Affected {
        let bound = |(kind, text): &(&str, &str)| match *kind {
            "from" => Bound::Introduced((*text).to_owned()),
            "fixed" => Bound::Fixed((*text).to_owned()),
            _ => Bound::LastAffected((*text).to_owned()),
        };
        let ranges = vec![bounds.iter().map(bound).collect()];
        Affected { ecosystem, name: "x".to_owned(), versions: vec![], ranges }
    }

    #[test]
    fn a_range_begins_where_it_was_introduced_and_ends_before_the_fix() {
        let one = affected(Ecosystem::Npm, &[("from", "1.2"), ("fixed", "1.4.2")]);
        let of = |v| is_affected(v, &one);
        assert_eq!(of("1.1.9"), Some(false));
        assert_eq!(of("1.2.0"), Some(true));
        assert_eq!(of("1.4.2-beta.1"), Some(true));
        assert_eq!(of("1.4.2"), Some(false));
        assert_eq!(of("git+ssh://x"), None);
        assert_eq!(fixed_in("1.3.0", &one), Some("1.4.2"));
    }

    #[test]
    fn several_ranges_in_any_order_are_told_apart() {
        let two = affected(
            Ecosystem::Crate,
            &[("fixed", "2.1.0"), ("from", "2.0.0"), ("fixed", "1.5.0"), ("from", "0")],
        );
        let of = |v| is_affected(v, &two);
        assert_eq!([of("1.4.9"), of("1.5.0"), of("1.9.9")], [Some(true), Some(false), Some(false)]);
        assert_eq!([of("2.0.3"), of("2.1.0")], [Some(true), Some(false)]);
        assert_eq!(fixed_in("2.0.3", &two), Some("2.1.0"));
    }

    #[test]
    fn python_versions_are_ordered_by_their_own_rules() {
        let one = affected(Ecosystem::Pypi, &[("from", "0"), ("last", "2.10")]);
        let of = |v| is_affected(v, &one);
        assert_eq!(
            [of("2.9"), of("2.10.0"), of("2.10.post1")],
            [Some(true), Some(true), Some(false)]
        );
        assert_eq!(of("1!0.1"), Some(false));
        let listed = Affected { versions: vec!["1.0".to_owned()], ranges: vec![], ..one };
        assert_eq!(is_affected("1.0.0", &listed), Some(true));
        assert_eq!(is_affected("unreadable", &listed), Some(false));
    }

    #[test]
    fn go_modules_carry_a_v_and_marks_that_do_not_count() {
        let one = affected(Ecosystem::Go, &[("from", "0"), ("fixed", "2.0.0")]);
        assert_eq!(is_affected("v2.0.0+incompatible", &one), Some(false));
        assert_eq!(is_affected("v0.0.0-20200101000000-abcdef012345", &one), Some(true));
    }

    #[test]
    fn one_flaw_under_two_names_is_told_once_and_the_worst_comes_first() {
        let one = affected(Ecosystem::Pypi, &[("from", "0"), ("fixed", "2.0")]);
        let record = |id: &str, alias: &str, rating| Advisory {
            id: id.to_owned(),
            aliases: vec![alias.to_owned()],
            rating,
            affected: vec![one.clone()],
            ..Advisory::default()
        };
        let records = vec![
            record("PYSEC-1", "CVE-1", Rating::Unrated),
            record("GHSA-1", "CVE-1", Rating::Critical),
            record("GHSA-2", "CVE-2", Rating::Low),
        ];
        let advisories = Advisories { records, ..Advisories::default() };
        let package = Locked::new(Ecosystem::Pypi, "X", Some("1.0"));
        let ids: Vec<&str> =
            known(&advisories, &package).iter().map(|(a, _)| a.id.as_str()).collect();
        assert_eq!(ids, ["GHSA-1", "GHSA-2"]);
        assert_eq!(highest(Ecosystem::Pypi, ["1.9", "1.10", "x"].into_iter()), Some("1.10"));
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(version in ".{0,40}", a in ".{0,40}", b in ".{0,20}") {
            for ecosystem in [Ecosystem::Npm, Ecosystem::Pypi, Ecosystem::Go] {
                let one = affected(ecosystem, &[("from", &a), ("fixed", &b), ("last", &version)]);
                is_affected(&version, &one);
                fixed_in(&version, &one);
            }
        }
    }
}
