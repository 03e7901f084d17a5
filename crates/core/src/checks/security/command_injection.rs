//! Texts that reach a shell, or a program as one of its options.

use crate::attack::{
    Attack, Form, Nonce, Offer, Payload, deliver, gets_through, nothing_else, offer,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Profile};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{benign, valid_call};
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
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("command_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "command-injection", hostile: true, lane: Lane::Shared, plan };

/// How a text breaks out of a command line; `V` is the ordinary text, `X` the harmless command.
/// The first closes every kind of quote in turn and comments out the rest.
const FORMS: &[Form] = &[
    shell("semicolon", Profile::Quick, |n| run(n, "V;X #';X #\";X #")),
    shell("substitution", Profile::Quick, |n| run(n, "V$(X)")),
    shell("newline", Profile::Standard, |n| run(n, "V\nX\n")),
    shell("pipe", Profile::Standard, |n| run(n, "V|X")),
    shell("option", Profile::Standard, option),
    shell("backticks", Profile::Deep, |n| run(n, "V`X`")),
    shell("and", Profile::Deep, |n| run(n, "V&&X")),
    shell("or", Profile::Deep, |n| run(n, "V||X")),
    shell("background", Profile::Deep, |n| run(n, "V&X&")),
    shell("single quote", Profile::Deep, |n| run(n, "V';X;'")),
    shell("double quote", Profile::Deep, |n| run(n, "V\";X;\"")),
    shell("single quote, newline", Profile::Deep, |n| run(n, "V'\nX\n'")),
    shell("argument of its own", Profile::Deep, |n| run(n, "$(X)")),
    shell("Windows", Profile::Deep, windows),
];

const fn shell(
    name: &'static str,
    least: Profile,
    make: fn(&Nonce<'_>) -> Option<Payload>,
) -> Form {
    Form { name, least, make }
}

/// The shell has to multiply and to join. What it prints may be lost, so it also leaves a file
/// whose name it has to compute.
fn run(n: &Nonce<'_>, form: &str) -> Option<Payload> {
    let product = format!("{}$(({}*{})){}", n.left, n.a, n.b, n.right);
    let command = format!("echo {product};touch {}/{product}", n.folder());
    let joined_by_pipes = form.contains("|X") || form.contains("&X");
    let command = if joined_by_pipes { format!("echo {product}") } else { command };
    let text: String = form
        .chars()
        .map(|c| match c {
            'V' => n.text().to_owned(),
            'X' => command.clone(),
            other => other.to_string(),
        })
        .collect();
    Some(Payload::text(text, Oracle::Any { of: vec![n.computed(), n.appears()] }))
}

/// A text that begins with a dash is an option to a program that is given it bare.
fn option(n: &Nonce<'_>) -> Option<Payload> {
    let path = format!("{}/{}{}", n.folder(), n.left, n.right);
    Some(Payload::text(format!("--output={path}"), Oracle::Effect { path }))
}

fn windows(n: &Nonce<'_>) -> Option<Payload> {
    let (a, b) = (n.a, n.b);
    let command = format!("for /f %i in ('set /a {a}*{b}') do @echo {}%i{}", n.left, n.right);
    Some(Payload::text(format!("{}&{command}", n.text()), n.computed()))
}

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver(evidence, seed, PROBE.id, FORMS)
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
    match offer(evidence, x) {
        // A parameter that is openly a command line is executed by design: for people to judge.
        Offer::Execution => finding,
        Offer::Nothing | Offer::Expressions => finding.proven(proof),
    }
}
