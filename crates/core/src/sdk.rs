//! Which SDK stands behind the server: most protocol behaviour is inherited from it.
//!
//! Package metadata says it outright. Without it, habits give the SDK away: codes that one family
//! alone answers with, and defaults it sends when the author sets nothing (measured on 74 servers).

mod habits;

use crate::check::Confidence;
use crate::evidence::{Evidence, Package};
use crate::report::SdkSummary;
use habits::{Habits, Language};

const PYTHON: &str = "mcp (Python)";
const TYPESCRIPT_1: &str = "@modelcontextprotocol/sdk (TypeScript)";
const TYPESCRIPT_2: &str = "@modelcontextprotocol/server (TypeScript)";
const EITHER: &str = "mcp (Python) or @modelcontextprotocol/server (TypeScript)";

/// `None` when nothing points anywhere.
pub fn fingerprint(evidence: &Evidence) -> Option<SdkSummary> {
    let package = evidence.source.as_ref().and_then(|s| s.package.as_ref());
    let habits = Habits::of(evidence);
    package.and_then(|p| from_package(p, &habits)).or_else(|| {
        let told = from_habits(&habits)?;
        // npm also hands out programs of other languages. Their packages depend on no SDK of it, and
        // what looks like a habit may be chance.
        let other = package.is_some_and(|p| p.ecosystem == "npm");
        Some(SdkSummary { confidence: or(other, Confidence::Low, told.confidence), ..told })
    })
}

fn from_package(package: &Package, habits: &Habits) -> Option<SdkSummary> {
    let named: Vec<(&str, Option<&str>)> = package.sdks.iter().map(|s| split(s)).collect();
    let is_second = |name: &str, version: Option<&str>| {
        let major = if name == "fastmcp" { "4." } else { "2." };
        version.is_some_and(|v| v.starts_with(major))
    };
    // A package may carry both generations; what it speaks tells which one answers.
    let (name, version) = named
        .iter()
        .find(|(name, version)| habits.stateless.is_some() && is_second(name, *version))
        .or_else(|| named.first())?;
    let language = match package.ecosystem.as_str() {
        "npm" => " (TypeScript)",
        "pypi" => " (Python)",
        "crate" => " (Rust)",
        "go" => " (Go)",
        _ => "",
    };
    Some(SdkSummary {
        name: format!("{name}{language}"),
        version: version.map(str::to_owned),
        confidence: Confidence::High,
        because: vec![format!("the package depends on {}", package.sdks.join(", "))],
    })
}

/// `@scope/name@1.2.3` and `name` alike.
fn split(sdk: &str) -> (&str, Option<&str>) {
    match sdk.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() => (name, Some(version)),
        Some(_) | None => (sdk, None),
    }
}

fn from_habits(habits: &Habits) -> Option<SdkSummary> {
    if let Some((name, why)) = &habits.named {
        return Some(told(name, None, Confidence::Medium, &[why]));
    }
    match (&habits.python_1, &habits.typescript_1) {
        // Two families at once: something sits in between, and neither can be claimed.
        (Some(_), Some(_)) => None,
        (Some(why), None) => {
            let sure = or(habits.python.is_some(), Confidence::High, Confidence::Medium);
            Some(told(PYTHON, Some("1.x"), sure, &with(why, habits.python.as_ref())))
        }
        (None, Some(why)) => {
            let javascript = habits.language.as_ref().filter(|(l, _)| *l == Language::TypeScript);
            let sure = or(javascript.is_some(), Confidence::High, Confidence::Medium);
            let because = with(why, javascript.map(|(_, why)| why));
            Some(told(TYPESCRIPT_1, Some("1.x"), sure, &because))
        }
        (None, None) => second_generation(habits).or_else(|| {
            let why = habits.python.as_ref()?;
            Some(told(PYTHON, None, Confidence::Low, &[why]))
        }),
    }
}

fn second_generation(habits: &Habits) -> Option<SdkSummary> {
    let stateless = habits.stateless.as_ref()?;
    let (name, sure, why) = match (&habits.python, &habits.language) {
        (Some(why), _) | (None, Some((Language::Python, why))) => {
            (PYTHON, Confidence::Medium, Some(why))
        }
        (None, Some((Language::TypeScript, why))) => (TYPESCRIPT_2, Confidence::Medium, Some(why)),
        (None, None) => (EITHER, Confidence::Low, None),
    };
    Some(told(name, Some("2.x"), sure, &with(stateless, why)))
}

fn told(
    name: &str,
    version: Option<&str>,
    confidence: Confidence,
    because: &[&String],
) -> SdkSummary {
    SdkSummary {
        name: name.to_owned(),
        version: version.map(str::to_owned),
        confidence,
        because: because.iter().map(|why| (*why).clone()).collect(),
    }
}

fn with<'a>(first: &'a String, second: Option<&'a String>) -> Vec<&'a String> {
    std::iter::once(first).chain(second).collect()
}

fn or(holds: bool, yes: Confidence, no: Confidence) -> Confidence {
    if holds { yes } else { no }
}
