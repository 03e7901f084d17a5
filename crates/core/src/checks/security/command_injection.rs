//! Texts that reach a shell, or a program as one of its options.

use crate::attack::{
    Attack, Delay, Form, Nonce, Offer, deliver, deliver_delays, deliver_stored, gets_through,
    nothing_else, offer,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{aftermath, benign, valid_call};
use crate::proof::{Oracle, Proof, payload};
use crate::response::quote;
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
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE, &aftermath::PROBE, &DELAYS],
    page: include_str!("command_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "command-injection", hostile: true, lane: Lane::Shared, plan };
const DELAYS: Probe =
    Probe { id: "command-injection-delays", hostile: true, lane: Lane::Alone, plan: delays };

/// The shell has to multiply and to join.
macro_rules! echo {
    () => {
        "echo «L»$((«M»))«R»"
    };
}
macro_rules! x {
    () => {
        concat!(echo!(), ";touch «F»/«L»$((«M»))«R»")
    };
}

/// How a text breaks out of a command line. The first closes every kind of quote in turn and
/// comments out the rest.
const FORMS: &[Form] = &[
    Form::new("semicolon", Quick, concat!("«V»;", x!(), " #';", x!(), " #\";", x!(), " #"), ran),
    Form::new("substitution", Quick, concat!("«V»$(", x!(), ")"), ran),
    Form::new("newline", Standard, concat!("«V»\n", x!(), "\n"), ran),
    Form::computed("pipe", Standard, concat!("«V»|", echo!())),
    Form::new("option", Standard, "--output=«F»/docs/«L»«R»", option),
    Form::new("option that reads", Standard, "--file=«O»", |n| Some(n.outside()?.1)),
    Form::new("newline, plain words", Standard, "«V»\nseq -s «L» 7 9\n", |n| {
        Some(Oracle::computed(format!("7{0}8{0}9", n.left)))
    }),
    Form::new("no blanks", Standard, "«V»';touch${IFS}«F»/«L»$((«M»))«R»;'", |n| {
        Some(n.appears())
    }),
    Form::new("backticks", Deep, concat!("«V»`", x!(), "`"), ran),
    Form::computed("and", Deep, concat!("«V»&&", echo!())),
    Form::computed("or", Deep, concat!("«V»||", echo!())),
    Form::computed("background", Deep, concat!("«V»&", echo!(), "&")),
    Form::new("single quote", Deep, concat!("«V»';", x!(), ";'"), ran),
    Form::new("double quote", Deep, concat!("«V»\";", x!(), ";\""), ran),
    Form::new("single quote, newline", Deep, concat!("«V»'\n", x!(), "\n'"), ran),
    Form::new("alone", Deep, concat!("$(", x!(), ")"), ran),
    Form::computed("Windows", Deep, "«V»&for /f %i in ('set /a «M»') do @echo «L»%i«R»"),
];

/// What the shell prints may be lost, so it also leaves a file whose name it has to compute.
fn ran(n: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Any { of: vec![n.computed(), n.appears()] })
}

/// A text that begins with a dash is an option to a program that is given it bare.
fn option(n: &Nonce<'_>) -> Option<Oracle> {
    // Not in the workspace itself: a tool that keeps files there by their last name makes one, too.
    Some(Oracle::Effect { path: format!("{}/docs/{}{}", n.folder(), n.left, n.right) })
}

const SLOW: &[Delay] = &[
    Delay {
        name: "sleep",
        ms: 600,
        slow: "«V»;sleep 0.6 #';sleep 0.6 #\";sleep 0.6 #",
        fast: "«V»;sleep 0.0 #';sleep 0.0 #\";sleep 0.0 #",
    },
    Delay {
        name: "substituted sleep", ms: 600, slow: "«V»$(sleep 0.6)", fast: "«V»$(sleep 0.0)"
    },
];

fn delays(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_delays(evidence, seed, DELAYS.id, Deep, SLOW)
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let mut calls = deliver(evidence, seed, PROBE.id, FORMS);
    calls.extend(deliver_stored(evidence, seed, PROBE.id, &FORMS[..2]));
    calls
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no text was executed",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let text = quote(&payload(x));
    let (says, fix) = if text.starts_with("--") {
        (
            format!("a program took \"{text}\" as an option"),
            "put `--` before values that come from callers, and refuse those that begin with a dash",
        )
    } else {
        (
            format!("a shell executed \"{text}\""),
            "start programs with a list of arguments and without a shell (`execFile`, `subprocess.run([...])`), and allow only expected values",
        )
    };
    let finding = Finding::fail(x.subject.clone(), says, fix);
    // A parameter that is openly a command line is executed by design: for people to judge.
    if offer(evidence, x) == Offer::Execution { finding } else { finding.proven(proof) }
}
