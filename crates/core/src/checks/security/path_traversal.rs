//! Paths that lead out of where the server may read.

use crate::attack::{Attack, nothing_else};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{CanaryPlace, Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, Risk, words};
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof};
use crate::response::{Answer, quote};
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/path-traversal",
    title: "Paths do not lead out of the workspace",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::PathTraversal),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("path_traversal.md"),
    judge,
};

const PROBE: Probe = Probe { id: "path-traversal", hostile: true, lane: Lane::Shared, plan };
const UP: &str = "../../../../../../../../../../../..";

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(planted) = canaries(evidence) else { return Vec::new() };
    // A tool that writes would overwrite the canary instead of reading it.
    let readers = evidence.tools().filter(|t| Risk::of_tool(t) == Risk::Reads);
    readers.flat_map(|tool| calls(evidence, tool, planted)).collect()
}

/// A readable file in the workspace, a file outside, and the id of the latter's canary.
fn canaries(evidence: &Evidence) -> Option<(&str, &str, &str)> {
    let (mut inside, mut outside) = (None, None);
    for canary in &evidence.conditions.canaries {
        match &canary.place {
            CanaryPlace::Inside { path } => inside = inside.or(Some(path.as_str())),
            CanaryPlace::Outside { path } => outside = outside.or(Some((path, &canary.id))),
            CanaryPlace::Env { .. } => {}
        }
    }
    outside.and_then(|(path, id)| Some((inside?, path.as_str(), id.as_str())))
}

fn calls(evidence: &Evidence, tool: &Tool, planted: (&str, &str, &str)) -> Vec<Call> {
    let (inside, outside, canary) = planted;
    let made = |label: &str| evidence.of_tool(PROBE.id, &tool.name).find(|x| x.label == label);
    let mut calls = Vec::new();
    let tried = benign::tried(evidence, tool);
    for place in tried.iter().map(|t| &t.place).filter(|p| is_file(tool, &p.pointer)) {
        let make = |name: &str, path: &str| {
            let label = format!("{name} in {}", place.pointer);
            Some(Call::tool(&tool.name, label, place.with(tool, path)?).about(&place.pointer))
        };
        // The workspace, or a folder that the server was started with: one of them is its own.
        let benign = [("inside file", inside), ("sample file", place.text.as_str())];
        let twins: Vec<Call> = benign.iter().filter_map(|(name, path)| make(name, path)).collect();
        let accepted = |x: &&Exchange| Answer::of(evidence, x) == Answer::Accepted;
        let twin = twins.iter().filter_map(|c| made(&c.label)).find(accepted);
        calls.extend(twins);
        let Some(twin) = twin else { continue };
        let forms = [
            ("absolute", outside.to_owned()),
            ("upwards", format!("{UP}{outside}")),
            ("upwards from inside", format!("{}/{UP}{outside}", evidence.conditions.workspace)),
            ("encoded upwards", format!("{}{outside}", UP.replace('/', "%2f"))),
        ];
        let oracle = Oracle::Planted { canary: canary.to_owned() };
        let attacks = forms.iter().filter_map(|(name, path)| make(name, path));
        calls.extend(attacks.map(|c| c.with_control(&twin.label).with_oracle(oracle.clone())));
    }
    calls
}

/// A parameter that names a file to read, by its pointer or name and by the tool's name.
fn is_file(tool: &Tool, pointer: &str) -> bool {
    let last = pointer.split('/').rfind(|part| part.parse::<u32>().is_err()).unwrap_or_default();
    let has = |name: &str, any: &str| words(name).iter().any(|w| any.split(' ').any(|a| a == w));
    has(last, "path paths file files filename filepath document resource")
        && !has(last, "repo repository directory dir folder glob")
        && !has(&tool.name, "directory directories dir folder list tree search ls")
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: |answer| *answer == Answer::Accepted,
    clean: "no path led out of the workspace",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readers = || evidence.tools().filter(|t| Risk::of_tool(t) == Risk::Reads);
    let opens = |t: &&Tool| t.parameters().any(|(name, _)| is_file(t, name));
    let attacked = |f: &Finding| {
        f.subject.tool().is_none_or(|name| {
            evidence.of_tool(PROBE.id, name).next().is_some()
                || readers().filter(opens).any(|t| t.name == name)
        })
    };
    let found: Vec<Finding> = ATTACK.judge(evidence).into_iter().filter(attacked).collect();
    if !found.is_empty() || canaries(evidence).is_some() {
        return found;
    }
    let why = "no file could be planted where the server runs";
    let unseen = |t: &Tool| Finding::unseen(Subject::tool_named(&t.name), why);
    readers().filter(opens).map(unseen).collect()
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("read a file outside the workspace ({})", quote(&x.label));
    let fix =
        "resolve the path with all links, then refuse it unless it lies below an allowed folder";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    if is_unconfined(evidence, x) { finding } else { finding.proven(proof) }
}

/// A tool that promises to read any path, and names no bounds, does so by design: for people to judge.
fn is_unconfined(evidence: &Evidence, x: &Exchange) -> bool {
    let tool = x.subject.tool().and_then(|name| evidence.tool(name));
    let text = tool.map(|t| t.raw.to_string().to_lowercase()).unwrap_or_default();
    let says = |any: &[&str]| any.iter().any(|words| text.contains(words));
    says(&["absolute path", "any file", "any path"])
        && !says(&["allowed", "within", "inside", "restricted", "sandbox", "workspace", "only"])
}
