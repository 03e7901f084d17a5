//! JSON in the README that no parser takes.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::{Code, Readme};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "documentation/json-parses",
    title: "The JSON in the README parses",
    facet: Facet::Examples,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("json_parses.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let all: Vec<(&Code, bool)> = readme.json().map(|(code, v)| (code, v.is_some())).collect();
    let broken: Vec<&Code> = all.iter().filter(|(_, fine)| !fine).map(|(code, _)| *code).collect();
    let Some(first) = broken.first() else {
        let says = format!("JSON blocks that parse: {}", all.len());
        return if all.is_empty() {
            Vec::new()
        } else {
            vec![Finding::pass(Subject::Server, says)]
        };
    };
    let says = format!(
        "{} of {} JSON blocks do not parse; the first begins \"{}\"",
        broken.len(),
        all.len(),
        quote(&first.text.chars().take(60).collect::<String>())
    );
    let fix = "correct the commas, quotes and brackets, or mark the block as text if it is no JSON";
    let share = (all.len() - broken.len()) as f64 / all.len() as f64;
    vec![Finding::partial(Subject::Server, Grade::new(share), says, fix)]
}
