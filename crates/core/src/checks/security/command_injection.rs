//! Texts that reach a shell.

use crate::arguments::{Place, places};
use crate::attack::Attack;
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Profile, Subject, Tool};
use crate::probe::{Call, Lane, Probe, words};
use crate::proof::{Oracle, Proof, payload};
use crate::response::{Answer, quote};
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/command-injection",
    title: "No parameter reaches a shell",
    facet: Facet::Injection,
    severity: Severity::Critical,
    class: Some(Class::CommandInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("command_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "command-injection", hostile: true, lane: Lane::Shared, plan };

/// How a text breaks out of a command line; `V` is the ordinary text, `X` the harmless command.
const FORMS: &[(&str, &str)] = &[
    ("substitution", "V$(X)"),
    ("semicolon", "V;X"),
    ("single quote", "V';X;'"),
    ("pipe", "V|X"),
    ("newline", "V\nX\n"),
    ("backticks", "V`X`"),
];

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    evidence.tools().flat_map(|tool| calls(evidence, tool, seed)).collect()
}

fn calls(evidence: &Evidence, tool: &Tool, seed: Seed) -> Vec<Call> {
    let forms = match evidence.conditions.profile {
        Profile::Quick => &FORMS[..2],
        Profile::Standard | Profile::Deep => FORMS,
    };
    let mut calls: Vec<Call> = Vec::new();
    for place in places(evidence, tool, seed) {
        if place.with(tool, &fill(FORMS[0].1, &place, "x")).is_none() {
            continue;
        }
        if calls.iter().all(|c| c.label != place.twin) {
            calls.push(Call::tool(&tool.name, place.twin.clone(), place.arguments.clone()));
        }
        // What even an ordinary call can't get through to is not attacked.
        let mut twins = evidence.of_tool(PROBE.id, &tool.name).filter(|x| x.label == place.twin);
        if twins.any(|x| x.reply.why_unseen().is_none()) {
            calls.extend(forms.iter().filter_map(|form| attack(tool, &place, *form, seed)));
        }
    }
    calls
}

/// The shell has to multiply and to join: a calculator does not join, an echo does not multiply.
fn attack(tool: &Tool, place: &Place, (name, form): (&str, &str), seed: Seed) -> Option<Call> {
    let label = format!("{name} in {}", place.pointer);
    let seed = seed.part(&format!("command-injection {} {label}", tool.name));
    let (a, b) = (seed.between("a", 10_000, 99_999), seed.between("b", 10_000, 99_999));
    let (left, right) = (seed.word("left", 5), seed.word("right", 5));
    let command = format!("echo {left}$(({a}*{b})){right}");
    let arguments = place.with(tool, &fill(form, place, &command))?;
    let expected = format!("{left}{}{right}", a * b);
    let call = Call::tool(&tool.name, label, arguments).about(&place.pointer);
    Some(call.with_control(place.twin.clone()).with_oracle(Oracle::Computed { expected }))
}

fn fill(form: &str, place: &Place, command: &str) -> String {
    form.chars()
        .map(|c| match c {
            'V' => place.text.clone(),
            'X' => command.to_owned(),
            other => other.to_string(),
        })
        .collect()
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    // Arguments that never got past validation tell nothing about what lies behind.
    reached: |answer| match answer {
        Answer::Refused { code, .. } => *code != -32602,
        Answer::ToolError(text) => !text.to_lowercase().contains("validation error"),
        Answer::Accepted | Answer::Malformed(_) | Answer::Crashed => true,
        Answer::Hung | Answer::Unseen(_) => false,
    },
    clean: "no text was executed",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(_: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("a shell executed \"{}\"", quote(&payload(x)));
    let fix = "start programs with a list of arguments and without a shell (`execFile`, `subprocess.run([...])`), and allow only expected values";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    if is_a_shell(x) { finding } else { finding.proven(proof) }
}

/// A parameter that is a command line by name executes it by design: for people to judge.
fn is_a_shell(x: &Exchange) -> bool {
    let Subject::Param { pointer, .. } = &x.subject else { return false };
    let name = pointer.split('/').rfind(|part| part.parse::<u32>().is_err()).unwrap_or_default();
    words(name)
        .iter()
        .any(|w| ["command", "cmd", "commands", "script", "shell"].contains(&w.as_str()))
}
