//! Statuses: what was not seen never looks like success.

use super::*;
use crate::checks;
use crate::evidence::Subject;
use crate::pages;

fn judged(check: &str, findings: Vec<Finding>) -> Judged {
    Judged { check: checks::find(check).unwrap(), findings, ruled: Vec::new() }
}

fn status(module: &str, judged: &[Judged], audit: AuditKind) -> (ModuleStatus, String) {
    let mut evidence = pages::evidence("{}").unwrap();
    evidence.conditions.audit = audit;
    let found = modules(&evidence, judged).into_iter().find(|m| m.id == module).unwrap();
    (found.status, found.why)
}

fn pass() -> Finding {
    Finding::pass(Subject::Server, "fine")
}

fn partial(grade: f64) -> Finding {
    Finding::partial(Subject::Server, Grade::new(grade), "not so", "do it")
}

const SUPPLY: &str = "supply_chain/prohibited-libraries";

#[test]
fn the_table_parses_and_every_check_it_names_is_there() {
    let table: Table = toml::from_str(TABLE).unwrap();
    assert!(table.module.len() >= 20);
    let mut ids: Vec<&str> = table.module.iter().map(|m| m.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), table.module.len());
    for module in &table.module {
        for named in &module.checks {
            let one = Module { facets: vec![], checks: vec![named.clone()], ..module.bare() };
            assert!(checks::all().iter().any(|c| one.selects(c)), "{}: {named}", module.id);
        }
        assert!(checks::all().iter().any(|c| module.selects(c)), "{} has no check", module.id);
    }
}

impl Module {
    fn bare(&self) -> Module {
        Module {
            id: self.id.clone(),
            title: String::new(),
            rule: self.rule,
            facets: vec![],
            checks: vec![],
            needs: None,
            not_applicable_for: vec![],
            info_for: vec![],
        }
    }
}

#[test]
fn nothing_asked_nothing_there_and_nothing_seen_are_three_things() {
    let local = AuditKind::Local;
    let (not_asked, _) = status("prohibited-libraries", &[], local);
    assert_eq!(not_asked, ModuleStatus::NotRun);
    let (nothing, _) = status("prohibited-libraries", &[judged(SUPPLY, vec![])], local);
    assert_eq!(nothing, ModuleStatus::NotApplicable);
    let unseen = judged(SUPPLY, vec![Finding::unseen(Subject::Server, "no source")]);
    let unseen = status("prohibited-libraries", &[unseen], local);
    assert_eq!(unseen, (ModuleStatus::NotRun, "no source".to_owned()));
}

#[test]
fn one_clear_failure_fails_and_a_suspicion_is_for_review() {
    let of =
        |findings| status("prohibited-libraries", &[judged(SUPPLY, findings)], AuditKind::Local).0;
    assert_eq!(of(vec![pass()]), ModuleStatus::Pass);
    assert_eq!(of(vec![pass(), partial(0.75)]), ModuleStatus::Verify);
    assert_eq!(of(vec![pass(), partial(0.0)]), ModuleStatus::Fail);
    assert_eq!(of(vec![pass(), partial(0.0).suspected()]), ModuleStatus::Verify);
}

#[test]
fn a_rate_follows_the_thresholds_of_the_guide() {
    let of = |grade| {
        status(
            "documentation",
            &[judged("documentation/examples", vec![partial(grade)])],
            AuditKind::Local,
        )
        .0
    };
    assert_eq!(
        [of(0.86), of(0.6), of(0.3)],
        [ModuleStatus::Pass, ModuleStatus::Verify, ModuleStatus::Fail]
    );
}

#[test]
fn who_has_seen_little_does_not_pass() {
    let unseen = || Finding::unseen(Subject::Server, "not asked");
    let (status, why) = status(
        "prohibited-libraries",
        &[judged(SUPPLY, vec![pass(), unseen(), unseen()])],
        AuditKind::Local,
    );
    assert_eq!(status, ModuleStatus::Verify);
    assert!(why.contains("less than half"), "{why}");
}

#[test]
fn the_kind_of_audit_decides_what_applies() {
    let manifest = || vec![judged("policy/manifest-valid", vec![pass()])];
    let of = |audit| status("manifest-validation", &manifest(), audit).0;
    assert_eq!(of(AuditKind::Local), ModuleStatus::Pass);
    assert_eq!(of(AuditKind::Github), ModuleStatus::Info);
    let absent = status("manifest-validation", &[], AuditKind::Http).0;
    assert_eq!(absent, ModuleStatus::NotApplicable);
    let readme = [judged("documentation/readme-present", vec![pass()])];
    assert_eq!(status("documentation", &readme, AuditKind::Http).0, ModuleStatus::NotApplicable);
}

#[test]
fn a_server_without_prompts_has_no_module_of_prompts() {
    let refusal = judged("protocol/prompt-refusals", vec![partial(0.0)]);
    let (status, _) = status("prompts", &[refusal], AuditKind::Local);
    assert_eq!(status, ModuleStatus::NotApplicable);
}
