//! Texts that a template engine takes for a template.

use crate::attack::{
    Attack, Form, Nonce, Offer, deliver, deliver_kept, deliver_stored, escaped, gets_through,
    nothing_else, proven_unless,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{aftermath, benign, flows, valid_call};
use crate::proof::{Oracle, Proof, payload};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/template-injection",
    title: "No text is taken for a template",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::Ssti),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE, &aftermath::PROBE, &flows::PROBE, &KEPT],
    page: include_str!("template_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "template-injection", hostile: true, lane: Lane::Shared, plan };

const FORMS: &[Form] = &[
    // Jinja, Twig, Nunjucks
    Form::computed("double braces", Quick, "«L»{{«M»}}«R»"),
    // Freemarker, Mako, template literals; EJS, ERB; Ruby, Pug; Smarty: the foreign ones stay texts.
    Form::computed(
        "other braces",
        Standard,
        "«L»${«M»}«R» «L»<%=«M»%>«R» «L»#{«M»}«R» «L»{«M»}«R»",
    ),
    // It does not multiply, but it repeats.
    Form::new("Handlebars", Standard, "{{#with \"«L»\"}}«R»{{this}}{{this}}{{/with}}", |n| {
        Some(Oracle::computed(format!("{}{}{}", n.right, n.left, n.left)))
    }),
    Form::new(
        "Jinja, reaching out",
        Standard,
        "{{ cycler.__init__.__globals__.os.environ['«N»'] }}",
        escaped,
    ),
    Form::new("Python, reaching out", Standard, "{{ __import__('os').environ['«N»'] }}", escaped),
    Form::new("JavaScript, reaching out", Standard, "{{ process.env.«N» }}", escaped),
    Form::new("EJS, reaching out", Standard, "<%= process.env.«N» %>", escaped),
    // Attributes lead from any object of the server's own to its code, and so to all it has.
    Form::new(
        "attributes",
        Standard,
        "«L»{«Q».__init__.__func__.__class__.__name__:~^14}«R»",
        walked,
    ),
    Form::new(
        "attributes, first",
        Standard,
        "«L»{0.__init__.__func__.__class__.__name__:~^14}«R»",
        walked,
    ),
    Form::computed("dollar", Deep, "«L»${«M»}«R»"),
    Form::computed("EJS", Deep, "«L»<%= «M» %>«R»"),
    Form::computed("hash", Deep, "«L»#{«M»}«R»"),
    Form::computed("single braces", Deep, "«L»{«M»}«R»"),
    Form::computed("doT", Deep, "«L»{{=«M»}}«R»"),
    Form::computed("Razor", Deep, "«L»@(«M»)«R»"),
    Form::computed("Velocity", Deep, "«L»#set($p=«M»)${p}«R»"),
    Form::computed("Thymeleaf", Deep, "«L»[[${«M»}]]«R»"),
    Form::new("Go", Deep, "{{printf \"«R»%s%s\" \"«L»\" \"«L»\"}}", |n| {
        Some(Oracle::computed(format!("{}{}{}", n.right, n.left, n.left)))
    }),
];

/// The name comes from the walk, the marks around it from the width that was asked for.
fn walked(n: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::computed(format!("{}~~~function~~~{}", n.left, n.right)))
}

const KEPT: Probe =
    Probe { id: "template-injection-kept", hostile: true, lane: Lane::Alone, plan: kept };

fn kept(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    deliver_kept(evidence, seed, KEPT.id, &FORMS[..3])
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
    clean: "no text was rendered as a template",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = format!("a template engine rendered \"{}\"", quote(&payload(x)));
    let fix = "pass texts from callers to the template as values, never as part of the template itself; where callers write templates, use an engine without code in a sandbox";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    let beyond = matches!(proof, Proof::PlantedContent { .. });
    // What openly renders templates computes by design; what it gives away it does not.
    let offered = if beyond { Offer::Execution } else { Offer::Expressions };
    proven_unless(offered, evidence, x, finding, proof)
}
