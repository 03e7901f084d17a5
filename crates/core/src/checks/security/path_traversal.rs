//! Paths that lead out of where the server may read or write.

use crate::attack::{Attack, Form, Nonce, deliver_where, nothing_else, openness};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{CanaryPlace, Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::benign::Tried;
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

macro_rules! up {
    () => {
        "../../../../../../../../../../../.."
    };
}

/// The first ones go to every text, the others where a file is meant.
const READS: &[Form] = &[
    Form::new("upwards", Quick, "../«o»", outside),
    Form::new("absolute", Quick, "«O»", outside),
    Form::new("upwards to the root", Standard, concat!(up!(), "«O»"), outside),
    Form::new("upwards from inside", Standard, "«F»/../«o»", outside),
    Form::new("address", Standard, "file://«O»", outside),
    Form::new("dots that survive a removal", Standard, "....//«o»", outside),
    Form::new("encoded", Standard, "%2e%2e%2f«o»", outside),
    Form::new("encoded twice", Standard, "%252e%252e%252f«o»", outside),
    Form::new("null", Standard, "../«o»\0«E»", outside),
    Form::new("backslash", Standard, "..\\«o»", outside),
    Form::new("beside, absolute", Standard, "«P»", beside),
    Form::new("beside", Standard, "../«p»", beside),
    Form::new("link", Standard, "linked/reference.txt", outside),
    Form::new("link, absolute", Deep, "«F»/linked/reference.txt", outside),
    Form::new("two upwards", Deep, "../../«o»", outside),
    Form::new("upwards from a folder", Deep, "docs/../../«o»", outside),
    Form::new("encoded slash", Deep, "..%2f«o»", outside),
    Form::new("encoded dots", Deep, "%2e%2e/«o»", outside),
    Form::new(
        "encoded to the root",
        Deep,
        "..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2f..«O»",
        outside,
    ),
    Form::new("overlong slash", Deep, "..%c0%af«o»", outside),
    Form::new("wide slash", Deep, "..\u{ff0f}«o»", outside),
    Form::new("wide dots", Deep, "\u{ff0e}\u{ff0e}/«o»", outside),
    Form::new("null, encoded", Deep, "../«o»%00«E»", outside),
    Form::new(
        "dots that survive a removal, to the root",
        Deep,
        "....//....//....//....//....//....//....//....//..«O»",
        outside,
    ),
];

/// For tools that may write: what they would overwrite is not what readers are shown.
const OPENS: &[Form] = &[
    Form::new("beside", Quick, "../«p»", beside),
    Form::new("beside, absolute", Quick, "«P»", beside),
    Form::new("beside, address", Standard, "file://«P»", beside),
    Form::new("created upwards", Quick, "../outside/«L»«R»«E»", created),
    Form::new("created from inside", Standard, "«F»/../outside/«L»«R»«E»", created),
    Form::new("created by dots that survive", Standard, "....//outside/«L»«R»«E»", created),
    Form::new("created, encoded", Standard, "%2e%2e%2foutside%2f«L»«R»«E»", created),
    Form::new("created, encoded twice", Deep, "%252e%252e%252foutside%252f«L»«R»«E»", created),
    Form::new("created by backslash", Deep, "..\\outside\\«L»«R»«E»", created),
];

fn outside(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "outside-file".to_owned() })
}

fn beside(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "beside-file".to_owned() })
}

fn created(n: &Nonce<'_>) -> Option<Oracle> {
    let above = n.folder().rsplit_once('/')?.0;
    let path = format!("{above}/outside/{}{}{}", n.left, n.right, n.ending());
    let folder = Oracle::Effect { path: format!("{path}/") };
    Some(Oracle::Any { of: vec![Oracle::Effect { path }, folder] })
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    let due = |tool: &Tool, tried: &Tried<'_>, form: &Form, forms: &[Form], risk: bool| {
        let first = forms.iter().take(2).any(|f| f.name == form.name);
        risk && form.least <= profile && (first || openness::names_file(tool, tried))
    };
    let reads = |tool: &Tool| Risk::of_tool(tool) == Risk::Reads;
    let mut calls = deliver_where(evidence, seed, PROBE.id, READS, |tool, tried, form| {
        due(tool, tried, form, READS, reads(tool))
    });
    calls.extend(deliver_where(evidence, seed, PROBE.id, OPENS, |tool, tried, form| {
        due(tool, tried, form, OPENS, !reads(tool))
    }));
    calls
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: |answer| *answer == Answer::Accepted,
    clean: "no path led out of the workspace",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let planted = |p: &CanaryPlace| matches!(p, CanaryPlace::Outside { .. });
    let opens = |t: &&Tool| t.parameters().any(|(name, _)| openness::is_file(t, name));
    let attacked = |f: &Finding| {
        f.subject.tool().is_none_or(|name| {
            evidence.of_tool(PROBE.id, name).next().is_some()
                || evidence.tools().filter(opens).any(|t| t.name == name)
        })
    };
    let found: Vec<Finding> = ATTACK.judge(evidence).into_iter().filter(attacked).collect();
    if !found.is_empty() || evidence.conditions.canaries.iter().any(|c| planted(&c.place)) {
        return found;
    }
    let why = "no file could be planted where the server runs";
    let unseen = |t: &Tool| Finding::unseen(Subject::tool_named(&t.name), why);
    evidence.tools().filter(opens).map(unseen).collect()
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let did = match &proof {
        Proof::SideEffect { .. } => "wrote",
        Proof::PlantedContent { .. }
        | Proof::Computed { .. }
        | Proof::Callback { .. }
        | Proof::Differential { .. }
        | Proof::Timing { .. }
        | Proof::Contradiction { .. }
        | Proof::Quoted { .. } => "read",
    };
    let says = format!("{did} a file outside the workspace ({})", quote(&x.label));
    let fix =
        "resolve the path with all links, then refuse it unless it lies below an allowed folder";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    if openness::is_unconfined(evidence, x) { finding } else { finding.proven(proof) }
}
