//! The modules of the scoring guide: which checks stand behind each, and what they come to. The
//! table is data, `rubrics/modules.toml`; `docs/modules.md` explains it.

use std::fmt;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::{Check, Facet, Finding, Grade, Judged, Severity, Standing};
use crate::evidence::Evidence;
use crate::target::AuditKind;

const TABLE: &str = include_str!("../../rubrics/modules.toml");
static MODULES: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(TABLE).unwrap_or(Table { module: Vec::new() }));

/// From these mean grades on, by the guide.
const PASS_AT: f64 = 85.0;
const VERIFY_AT: f64 = 50.0;
/// Ours: who has seen less than half can't say that all is well.
const SEEN_AT: f64 = 0.5;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    module: Vec<Module>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Module {
    id: String,
    title: String,
    rule: Rule,
    #[serde(default)]
    facets: Vec<Facet>,
    /// Ids of checks, or `topic/*`.
    #[serde(default)]
    checks: Vec<String>,
    needs: Option<Needs>,
    #[serde(default)]
    not_applicable_for: Vec<AuditKind>,
    #[serde(default)]
    info_for: Vec<AuditKind>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Rule {
    Rate,
    Worst,
    Info,
}

/// What a server must have for the module to be about anything.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Needs {
    Tools,
    Resources,
    Prompts,
}

/// What a module came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum ModuleStatus {
    #[serde(rename = "PASS")]
    Pass,
    /// To be looked at by a person.
    #[serde(rename = "VERIFY")]
    Verify,
    #[serde(rename = "FAIL")]
    Fail,
    /// There is nothing of the kind, or the audit leaves it out.
    #[serde(rename = "N/A")]
    NotApplicable,
    /// Shown without a verdict.
    #[serde(rename = "INFO")]
    Info,
    /// It applies, and nothing of it was seen.
    #[serde(rename = "NOT RUN")]
    NotRun,
}

impl fmt::Display for ModuleStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ModuleStatus::Pass => "PASS",
            ModuleStatus::Verify => "VERIFY",
            ModuleStatus::Fail => "FAIL",
            ModuleStatus::NotApplicable => "N/A",
            ModuleStatus::Info => "INFO",
            ModuleStatus::NotRun => "NOT RUN",
        })
    }
}

/// One module of the guide. It takes no part in the score.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModuleReport {
    pub id: String,
    pub title: String,
    pub status: ModuleStatus,
    pub why: String,
    /// The mean grade of what was seen, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    pub passed: usize,
    pub failed: usize,
    pub suspected: usize,
    pub unseen: usize,
    /// The checks behind it that had something to say.
    pub checks: Vec<&'static str>,
}

pub(super) fn modules(evidence: &Evidence, judged: &[Judged]) -> Vec<ModuleReport> {
    MODULES.module.iter().map(|module| module.report(evidence, judged)).collect()
}

impl Module {
    fn report(&self, evidence: &Evidence, judged: &[Judged]) -> ModuleReport {
        let behind: Vec<&Judged> = judged.iter().filter(|j| self.selects(j.check)).collect();
        let tally = Tally::of(&behind);
        let (status, why) = self.status(evidence, &tally, behind.len());
        ModuleReport {
            id: self.id.clone(),
            title: self.title.clone(),
            status,
            why,
            score: tally.mean(),
            passed: tally.passed,
            failed: tally.failed,
            suspected: tally.suspected,
            unseen: tally.unseen,
            checks: behind.iter().filter(|j| !j.findings.is_empty()).map(|j| j.check.id).collect(),
        }
    }

    fn selects(&self, check: &Check) -> bool {
        let named = |pattern: &String| match pattern.strip_suffix('*') {
            Some(start) => check.id.starts_with(start),
            None => check.id == pattern,
        };
        self.facets.contains(&check.facet) || self.checks.iter().any(named)
    }

    fn status(&self, evidence: &Evidence, tally: &Tally, checks: usize) -> (ModuleStatus, String) {
        let audit = evidence.conditions.audit;
        let info = self.info_for.contains(&audit) && tally.judged() > 0;
        if self.not_applicable_for.contains(&audit) && !info {
            return (ModuleStatus::NotApplicable, format!("left out of {}", called(audit)));
        }
        if self.needs.is_some_and(|needs| evidence.is_up() && needs.is_missing(evidence)) {
            return (ModuleStatus::NotApplicable, "there is nothing of the kind".to_owned());
        }
        if tally.judged() == 0 {
            return match (tally.unseen, checks) {
                (0, 0) => (ModuleStatus::NotRun, "no check behind it was asked for".to_owned()),
                (0, _) => (ModuleStatus::NotApplicable, "there is nothing of the kind".to_owned()),
                (_, _) => (ModuleStatus::NotRun, tally.reason.clone()),
            };
        }
        if info {
            return (ModuleStatus::Info, tally.counts());
        }
        let status = self.rule.status(tally);
        if status == ModuleStatus::Pass && tally.seen_share() < SEEN_AT {
            return (ModuleStatus::Verify, format!("{}; less than half was seen", tally.counts()));
        }
        (status, tally.counts())
    }
}

impl Rule {
    fn status(self, tally: &Tally) -> ModuleStatus {
        match self {
            Rule::Info => ModuleStatus::Info,
            Rule::Rate => match tally.mean() {
                Some(mean) if mean >= PASS_AT => ModuleStatus::Pass,
                Some(mean) if mean >= VERIFY_AT => ModuleStatus::Verify,
                Some(_) => ModuleStatus::Fail,
                None => ModuleStatus::Verify,
            },
            Rule::Worst if tally.clear > 0 => ModuleStatus::Fail,
            Rule::Worst if tally.failed + tally.suspected > 0 => ModuleStatus::Verify,
            Rule::Worst => ModuleStatus::Pass,
        }
    }
}

impl Needs {
    fn is_missing(self, evidence: &Evidence) -> bool {
        let inventory = &evidence.inventory;
        match self {
            Needs::Tools => inventory.tools.is_empty(),
            Needs::Resources => inventory.resources.is_empty() && inventory.templates.is_empty(),
            Needs::Prompts => inventory.prompts.is_empty(),
        }
    }
}

fn called(audit: AuditKind) -> &'static str {
    match audit {
        AuditKind::Github => "the audit of a repository",
        AuditKind::Http => "the audit of a remote server",
        AuditKind::Local => "the audit of a local server",
    }
}

#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    suspected: usize,
    unseen: usize,
    /// Failures that leave no doubt: less than half a grade, of a check that matters.
    clear: usize,
    grades: f64,
    /// Why something was not seen.
    reason: String,
}

impl Tally {
    fn of(behind: &[&Judged]) -> Tally {
        let mut tally = Tally::default();
        for j in behind {
            j.findings.iter().for_each(|finding| tally.add(j.check, finding));
        }
        tally
    }

    fn add(&mut self, check: &Check, finding: &Finding) {
        match finding.grade.map(Grade::value) {
            None => {
                self.unseen += 1;
                if self.reason.is_empty() {
                    self.reason.clone_from(&finding.says);
                }
            }
            Some(grade) if grade >= 1.0 => {
                self.passed += 1;
                self.grades += 1.0;
            }
            Some(_) if finding.standing() == Standing::Suspected => self.suspected += 1,
            Some(grade) => {
                self.failed += 1;
                self.grades += grade;
                self.clear += usize::from(grade < 0.5 && check.severity >= Severity::Medium);
            }
        }
    }

    fn judged(&self) -> usize {
        self.passed + self.failed + self.suspected
    }

    fn mean(&self) -> Option<f64> {
        let counted = self.passed + self.failed;
        let percent = self.grades / counted as f64 * 100.0;
        (counted > 0).then(|| (percent * 10.0).round() / 10.0)
    }

    fn seen_share(&self) -> f64 {
        self.judged() as f64 / (self.judged() + self.unseen) as f64
    }

    fn counts(&self) -> String {
        let parts = [
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.suspected, "for review"),
            (self.unseen, "not seen"),
        ];
        let told: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        told.join(", ")
    }
}

#[cfg(test)]
mod tests;
