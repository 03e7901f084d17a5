//! Packages that run code while they are installed.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Source, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "supply_chain/install-scripts",
    title: "Installing the package runs no code",
    facet: Facet::SupplyChain,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("install_scripts.md"),
    judge,
};

/// What npm runs when somebody installs the package from a registry.
const STAGES: &[&str] = &["preinstall", "install", "postinstall"];
const SHOWN: usize = 5;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match &evidence.source {
        None => {
            let why = "no source or installed package was found (give one with --source DIR)";
            vec![Finding::unseen(Subject::Server, why)]
        }
        Some(source) => own(source).into_iter().chain(inherited(source)).collect(),
    }
}

fn own(source: &Source) -> Option<Finding> {
    let manifest = source.manifest("package.json")?;
    let subject = Subject::File { file: manifest.path.clone(), line: None };
    let Ok(value) = serde_json::from_str::<serde_json::Value>(&manifest.text) else {
        return Some(Finding::unseen(subject, "it is no JSON"));
    };
    let script = |stage: &&str| {
        let line = value.get("scripts")?.get(*stage)?.as_str()?;
        Some(format!("{stage} runs `{}`", quote(line)))
    };
    let scripts: Vec<String> = STAGES.iter().filter_map(script).collect();
    Some(match scripts.is_empty() {
        true => Finding::pass(subject, "no script runs at installation"),
        false => Finding::partial(
            subject,
            Grade::new(0.5),
            scripts.join(", "),
            "do the work when the package is built, or when the server starts, and publish without install scripts",
        ),
    })
}

/// Dependencies with scripts are common, and for some (native code) the only way; they are named.
fn inherited(source: &Source) -> Option<Finding> {
    let lock = source.dependencies.as_ref()?;
    let names: Vec<String> = lock
        .packages()
        .filter(|(_, package)| package.scripts && !package.dev)
        .map(|(_, package)| package.label())
        .collect();
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty()).then(|| {
        Finding::partial(
            Subject::Server,
            Grade::new(0.75),
            format!("dependencies that run code at installation: {shown}{more}"),
            "install with `--ignore-scripts` where it works, and look for packages that need no script",
        )
    })
}
