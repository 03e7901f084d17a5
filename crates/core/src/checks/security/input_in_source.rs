//! Input that reaches a dangerous call unchecked, as far as the source shows.

use crate::check::{Check, Class, Confidence, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, Flow, Subject};

pub(super) const CHECK: Check = Check {
    id: "security/input-in-source",
    title: "In the source, input is checked before it reaches a dangerous call",
    facet: Facet::SourceCode,
    severity: Severity::High,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("input_in_source.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let code = match coded::code(evidence) {
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
        Ok(code) => code,
    };
    // Where no handler was recognised, nothing was followed, and nothing is known.
    if code.tools.is_empty() && code.flows.is_empty() {
        let why = "no tool registration was recognised in the source, so no input was followed";
        return vec![Finding::unseen(Subject::Server, why)];
    }
    if code.flows.is_empty() {
        return vec![coded::absent(code, "no input was seen to reach a dangerous call")];
    }
    code.flows.iter().map(suspicion).collect()
}

fn suspicion(flow: &Flow) -> Finding {
    let says = format!("{} at {}: input reaches {}", flow.class, flow.at, flow.call);
    let (says, sure) = match &flow.through {
        Some(name) => {
            (format!("{says} through {name}, which stands in another file"), Confidence::Low)
        }
        None => (says, Confidence::Medium),
    };
    let finding = Finding::fail(flow.subject.clone(), says, fix(flow.class));
    finding.at(&flow.at).class(flow.class).confidence(sure).suspected()
}

fn fix(class: Class) -> &'static str {
    match class {
        Class::CommandInjection => "pass the program and its arguments as a list, without a shell",
        Class::ArgumentInjection => {
            "put `--` before what comes from outside, or refuse a leading `-`"
        }
        Class::CodeInjection => "parse what is meant instead of running it",
        Class::SqlInjection => "bind values as parameters, and take names from a list of your own",
        Class::PathTraversal => {
            "resolve the path, then make sure that it is below the folder it belongs to"
        }
        Class::Ssrf => "allow the hosts that are meant, and refuse addresses of private networks",
        Class::UnsafeDeserialization => "use a format that holds data only, such as JSON",
        Class::Ssti => "keep templates in the code, and hand input to them as values",
        Class::Xxe => "switch external entities off, or refuse a DOCTYPE",
        Class::NosqlInjection
        | Class::LdapInjection
        | Class::XpathInjection
        | Class::SecretLeak
        | Class::InfoDisclosure
        | Class::PromptInjectionInOutput
        | Class::ToolDescriptionPoisoning
        | Class::HiddenUnicode
        | Class::ToolShadowing
        | Class::AnnotationDeception
        | Class::RugPull
        | Class::MissingAuth
        | Class::DnsRebinding
        | Class::SessionFixation
        | Class::CrossOrigin
        | Class::Cleartext
        | Class::Dos
        | Class::ResourceExhaustion
        | Class::ExcessivePermissions
        | Class::CrossToolExfiltration
        | Class::PrototypePollution
        | Class::HeaderInjection
        | Class::MassAssignment
        | Class::IntegerHandling => "check the input before it is used",
    }
}
