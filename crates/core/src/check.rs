//! Checks judge evidence and produce findings. Nothing here knows a weight.

mod class;
mod judging;
mod leads;
mod words;

pub use judging::{Judged, by_rules, due, judge, per_tool};

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, ExchangeId, Spot, Subject};
use crate::probe::Probe;
use crate::proof::Proof;
use crate::revision::Revision;
use crate::spec::Rule;

/// One question about a server. A `const` in its own file, beside its page.
#[derive(Debug)]
pub struct Check {
    /// `topic/smell`, e.g. `errors/unknown-tool`.
    pub id: &'static str,
    /// States the good case.
    pub title: &'static str,
    pub facet: Facet,
    pub severity: Severity,
    /// The class of hole a failure means; such failures count only with proof.
    pub class: Option<Class>,
    /// The requirements of the spec that it serves, and how.
    pub requirements: &'static [Rule],
    pub revisions: Revisions,
    /// The probes whose answers it reads; what nobody needs is not sent.
    pub needs: &'static [&'static Probe],
    /// The Markdown page: why, how to fix, and the cases that are its test.
    pub page: &'static str,
    /// Empty means: nothing of the kind to judge, the check does not apply. What it tells about a
    /// requirement stands in for the finding of the rule.
    pub judge: fn(&Evidence) -> Vec<Finding>,
}

impl Check {
    pub fn topic(&self) -> Topic {
        Topic::of(self.id)
    }
}

/// The revisions in which a check makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revisions {
    All,
    From(Revision),
    Until(Revision),
}

impl Revisions {
    /// A run without handshake has no revision; then only checks for all revisions apply.
    pub fn include(self, revision: Option<Revision>) -> bool {
        match (self, revision) {
            (Revisions::All, _) => true,
            (Revisions::From(first), Some(r)) => r >= first,
            (Revisions::Until(last), Some(r)) => r <= last,
            (Revisions::From(_) | Revisions::Until(_), None) => false,
        }
    }
}

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $(#[serde(rename = $text)] $variant),+ }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            pub fn parse(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.as_str()) }
        }
    };
}

vocabulary! {
    /// The closed vocabulary between checks and rubrics: checks have one, rubrics select them.
    Facet {
        ToolSuccess = "tool-success",
        ResponseValidity = "response-validity",
        ScenarioCoverage = "scenario-coverage",
        Stability = "stability",
        Injection = "injection",
        InputValidation = "input-validation",
        BatchRejection = "batch-rejection",
        ErrorDisclosure = "error-disclosure",
        Authentication = "authentication",
        ModelSafety = "model-safety",
        Readme = "readme",
        Examples = "examples",
        ApiDocs = "api-docs",
        ModernDocs = "modern-docs",
        Troubleshooting = "troubleshooting",
        Protocol = "protocol",
        ErrorQuality = "error-quality",
        ModernProtocol = "modern-protocol",
        Robustness = "robustness",
        Naming = "naming",
        ParameterDocs = "parameter-docs",
        Descriptions = "descriptions",
        SchemaQuality = "schema-quality",
        ModernFeatures = "modern-features",
        Practice = "practice",
        Annotations = "annotations",
        Latency = "latency",
        SupplyChain = "supply-chain",
        Policy = "policy",
        Manifest = "manifest",
        Portability = "portability",
        Temporal = "temporal",
        Resources = "resources",
        Prompts = "prompts",
        CrossCapability = "cross-capability",
        ExternalApis = "external-apis",
        SourceCode = "source-code",
    }
}

vocabulary! {
    /// The folder a check lives in.
    Topic {
        Functionality = "functionality",
        Protocol = "protocol",
        Errors = "errors",
        Security = "security",
        Documentation = "documentation",
        Usability = "usability",
        Performance = "performance",
        SupplyChain = "supply_chain",
        Policy = "policy",
    }
}

impl Topic {
    /// The topic of a check id. Ids are checked against folders by the catalogue test.
    pub fn of(id: &str) -> Topic {
        let name = id.split('/').next().unwrap_or_default();
        Topic::parse(name).unwrap_or(Topic::Policy)
    }
}

vocabulary! {
    /// The class of a security finding.
    Class {
        CommandInjection = "command_injection",
        CodeInjection = "code_injection",
        SqlInjection = "sql_injection",
        NosqlInjection = "nosql_injection",
        LdapInjection = "ldap_injection",
        XpathInjection = "xpath_injection",
        PathTraversal = "path_traversal",
        Ssrf = "ssrf",
        Ssti = "ssti",
        Xxe = "xxe",
        UnsafeDeserialization = "unsafe_deserialization",
        SecretLeak = "secret_leak",
        InfoDisclosure = "info_disclosure",
        PromptInjectionInOutput = "prompt_injection_in_output",
        ToolDescriptionPoisoning = "tool_description_poisoning",
        HiddenUnicode = "hidden_unicode",
        ToolShadowing = "tool_shadowing",
        AnnotationDeception = "annotation_deception",
        RugPull = "rug_pull",
        MissingAuth = "missing_auth",
        DnsRebinding = "dns_rebinding",
        SessionFixation = "session_fixation",
        CrossOrigin = "cross_origin",
        Cleartext = "cleartext",
        Dos = "dos",
        ResourceExhaustion = "resource_exhaustion",
        ExcessivePermissions = "excessive_permissions",
        CrossToolExfiltration = "cross_tool_exfiltration",
        ArgumentInjection = "argument_injection",
        PrototypePollution = "prototype_pollution",
        HeaderInjection = "header_injection",
        MassAssignment = "mass_assignment",
        IntegerHandling = "integer_handling",
    }
}

vocabulary! {
    /// How bad a failure is.
    Severity {
        Info = "info",
        Low = "low",
        Medium = "medium",
        High = "high",
        Critical = "critical",
    }
}

vocabulary! {
    Confidence {
        Low = "low",
        Medium = "medium",
        High = "high",
    }
}

/// How good: 0 is a plain failure, 1 a plain pass.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Grade(f64);

impl Grade {
    pub const PASS: Grade = Grade(1.0);
    pub const FAIL: Grade = Grade(0.0);

    /// Clamped into 0..=1; not a number counts as 0.
    pub fn new(value: f64) -> Grade {
        Grade(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    /// So many of all.
    pub fn share(good: usize, all: usize) -> Grade {
        Grade::new(good as f64 / all as f64)
    }

    pub fn value(self) -> f64 {
        self.0
    }

    pub fn is_pass(self) -> bool {
        self.0 >= 1.0
    }
}

/// How firmly a finding stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Shown for review, never scored.
    Suspected,
    /// Seen directly in the evidence.
    Observed,
    /// Carries a [`Proof`].
    Proven,
}

/// What a finding comes to.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Fail,
    Unseen,
    Pass,
}

/// A number worth showing. Comparison of runs ignores it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Measure {
    pub value: f64,
    pub unit: &'static str,
}

/// One judgement about one subject. Passes are findings too: rates need them.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub subject: Subject,
    /// `None`: could not be seen; `says` gives the reason.
    pub grade: Option<Grade>,
    pub confidence: Confidence,
    pub suspected: bool,
    pub proof: Option<Proof>,
    pub says: String,
    pub fix: Option<String>,
    pub seen_in: Vec<ExchangeId>,
    pub measure: Option<Measure>,
    /// The one requirement that it is about, where a check serves several.
    pub requirement: Option<&'static str>,
    /// Of this class, where a check looks for several.
    pub class: Option<Class>,
    /// The line of the source that is to blame.
    pub source: Option<Spot>,
}

impl Finding {
    pub fn pass(subject: Subject, says: impl Into<String>) -> Finding {
        Finding::graded(subject, Grade::PASS, says)
    }

    /// `fix` is what the author of the server should do.
    pub fn fail(subject: Subject, says: impl Into<String>, fix: impl Into<String>) -> Finding {
        Finding::partial(subject, Grade::FAIL, says, fix)
    }

    pub fn partial(
        subject: Subject,
        grade: Grade,
        says: impl Into<String>,
        fix: impl Into<String>,
    ) -> Finding {
        Finding { fix: Some(fix.into()), ..Finding::graded(subject, grade, says) }
    }

    /// Not run, timed out, refused by policy: no grade, lower coverage.
    pub fn unseen(subject: Subject, why: impl Into<String>) -> Finding {
        Finding { grade: None, ..Finding::graded(subject, Grade::FAIL, why) }
    }

    fn graded(subject: Subject, grade: Grade, says: impl Into<String>) -> Finding {
        Finding {
            subject,
            grade: Some(grade),
            confidence: Confidence::High,
            suspected: false,
            proof: None,
            says: says.into(),
            fix: None,
            seen_in: Vec::new(),
            measure: None,
            requirement: None,
            class: None,
            source: None,
        }
    }

    pub fn seen_in(mut self, exchange: ExchangeId) -> Finding {
        self.seen_in.push(exchange);
        self
    }

    pub fn proven(mut self, proof: Proof) -> Finding {
        self.proof = Some(proof);
        self
    }

    pub fn suspected(mut self) -> Finding {
        self.suspected = true;
        self
    }

    pub fn confidence(mut self, confidence: Confidence) -> Finding {
        self.confidence = confidence;
        self
    }

    pub fn measured(mut self, value: f64, unit: &'static str) -> Finding {
        self.measure = Some(Measure { value, unit });
        self
    }

    /// About this requirement, where the check serves several or tells more than one thing.
    pub fn about(mut self, requirement: &'static str) -> Finding {
        self.requirement = Some(requirement);
        self
    }

    pub fn class(mut self, class: Class) -> Finding {
        self.class = Some(class);
        self
    }

    pub fn at(mut self, spot: &Spot) -> Finding {
        self.source = Some(spot.clone());
        self
    }

    pub fn outcome(&self) -> Outcome {
        match self.grade {
            None => Outcome::Unseen,
            Some(g) if g.is_pass() => Outcome::Pass,
            Some(_) => Outcome::Fail,
        }
    }

    pub fn standing(&self) -> Standing {
        if self.proof.is_some() {
            Standing::Proven
        } else if self.suspected {
            Standing::Suspected
        } else {
            Standing::Observed
        }
    }
}
