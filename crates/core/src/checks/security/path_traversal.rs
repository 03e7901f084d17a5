//! Paths that lead out of where the server may read or write.

use crate::attack::archive::deliver_archives;
use crate::attack::path::{
    ANYWHERE, ANYWHERE_WRITTEN, FOLLOWED, OPENS, READS, deliver_neighbours, has_wider_bounds,
    is_beside,
};
use crate::attack::{
    Attack, Form, deliver_kept, deliver_stored, deliver_where, nothing_else, openness,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{CanaryPlace, Evidence, Exchange, Subject, Tool};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::benign::Tried;
use crate::probes::{benign, flows, valid_call};
use crate::proof::Proof;
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
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE, &flows::PROBE, &KEPT],
    page: include_str!("path_traversal.md"),
    judge,
};

const PROBE: Probe = Probe { id: "path-traversal", hostile: true, lane: Lane::Shared, plan };

const KEPT: Probe =
    Probe { id: "path-traversal-kept", hostile: true, lane: Lane::Alone, plan: kept };

fn kept(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_kept(evidence, seed, KEPT.id, &FOLLOWED[..2])
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    let due = |tool: &Tool, tried: &Tried<'_>, form: &Form, first: &[Form], risk: bool| {
        let first = first.iter().any(|f| f.name == form.name);
        risk && form.least <= profile && (first || openness::names_file(tool, tried))
    };
    let reads = |tool: &Tool| Risk::of_tool(tool) == Risk::Reads;
    let mut calls = deliver_where(evidence, seed, PROBE.id, READS, |tool, tried, form| {
        due(tool, tried, form, &READS[..ANYWHERE], reads(tool))
    });
    calls.extend(deliver_where(evidence, seed, PROBE.id, OPENS, |tool, tried, form| {
        due(tool, tried, form, &OPENS[..ANYWHERE_WRITTEN], !reads(tool))
    }));
    // Only what may be overwritten: who keeps a path may write there.
    calls.extend(deliver_stored(evidence, seed, PROBE.id, FOLLOWED));
    calls.extend(deliver_neighbours(evidence, seed, PROBE.id));
    calls.extend(deliver_archives(evidence, seed, PROBE.id));
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
    if has_wider_bounds(evidence, x) {
        return Finding::pass(x.subject.clone(), ATTACK.clean);
    }
    let did = match &proof {
        Proof::SideEffect { .. } => "wrote",
        Proof::PlantedContent { .. }
        | Proof::Computed { .. }
        | Proof::Callback { .. }
        | Proof::Differential { .. }
        | Proof::Timing { .. }
        | Proof::Amplified { .. }
        | Proof::Contradiction { .. }
        | Proof::Quoted { .. } => "read",
    };
    let where_to =
        if is_beside(x) { "beside the folder it keeps to" } else { "outside the workspace" };
    let says = format!("{did} a file {where_to} ({})", quote(&x.label));
    let fix =
        "resolve the path with all links, then refuse it unless it lies below an allowed folder";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    if openness::is_unconfined(evidence, x) { finding } else { finding.proven(proof) }
}
