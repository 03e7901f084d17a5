//! What one response says about its tool: by the response validator guide, and by our stricter
//! rule. Pure: the context holds all there is to know.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{
    Answer, Basis, Blame, Business, Category, Flaw, Metadata, disguised_error, quote,
    refusal::same_as_typical, told::told,
};
use crate::evidence::{Evidence, Exchange, Reply, Tool};
use crate::revision::Revision;

/// How far a response shows its tool to work, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Classification {
    /// Did what the scenario asks of it.
    FullyWorking,
    /// Did, with a flaw.
    PartiallyWorking,
    /// Answered, and showed nothing of its work.
    ConnectivityOnly,
    /// Refused what it should take.
    Error,
    /// No usable answer, or its code failed.
    Broken,
}

/// The layer of validation that found something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The shape of a response in this revision.
    Structure,
    /// Whether there is anything in it.
    Content,
    /// What it means for what was asked.
    Semantics,
    /// What this tool promises.
    ToolSpecific,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    pub layer: Layer,
    pub says: String,
}

/// All that bears on one response.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    pub tool: &'a Tool,
    pub input: &'a Value,
    pub reply: &'a Reply,
    pub answer: Answer,
    pub category: Category,
    /// Of the arguments that an error speaks of.
    pub basis: Basis,
    pub revision: Revision,
    /// Right arguments get the same answer, so it says nothing about wrong ones.
    pub as_typical: bool,
}

impl<'a> Context<'a> {
    /// `None` when the call is no scenario of a known tool, or came to nothing that can be judged.
    pub fn of(evidence: &'a Evidence, exchange: &'a Exchange) -> Option<Context<'a>> {
        let category = Category::of(exchange)?;
        let tool = evidence.tool(exchange.subject.tool()?)?;
        let answer = Answer::of(evidence, exchange);
        if matches!(answer, Answer::Unseen(_)) || runs_only_as_task(tool) {
            return None;
        }
        let disguised = disguised_error(&exchange.reply);
        let error = answer.error_text().or(disguised.as_deref());
        // Only a call that should have worked asks whose fault it was; looking is not cheap.
        let basis = match error {
            Some(text) if category == Category::HappyPath => {
                Basis::of(evidence, exchange, &told(text))
            }
            Some(_) | None => Basis::Plain,
        };
        let as_typical = category == Category::ErrorCase
            && error.is_some_and(|text| same_as_typical(evidence, exchange, text));
        Some(Context {
            tool,
            input: exchange.arguments().unwrap_or(&Value::Null),
            reply: &exchange.reply,
            answer,
            category,
            basis,
            revision: evidence.revision().unwrap_or(Revision::NEWEST_HANDSHAKE),
            as_typical,
        })
    }
}

/// `execution.taskSupport: required`: a plain call must be refused.
fn runs_only_as_task(tool: &Tool) -> bool {
    tool.raw.pointer("/execution/taskSupport").and_then(Value::as_str) == Some("required")
}

/// What was made of one response.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// By the rule we judge by.
    pub ours: Classification,
    /// 0 to 100.
    pub confidence: f64,
    /// By the guide's rule, kept to compare.
    pub seed: Classification,
    pub seed_confidence: f64,
    pub issues: Vec<Issue>,
    /// `None` when the response is no result.
    pub metadata: Option<Metadata>,
    /// Of an error: what speaks for business logic, by the guide.
    pub business: Option<Business>,
    /// Of an error: whose fault it is, by ours.
    pub blame: Option<Blame>,
}

impl Validation {
    /// The scenario went as it should not; one that showed nothing did neither.
    pub fn failed(&self) -> bool {
        match self.ours {
            Classification::FullyWorking | Classification::ConnectivityOnly => false,
            Classification::PartiallyWorking | Classification::Error | Classification::Broken => {
                true
            }
        }
    }
}

/// Classifies one response.
pub fn validate(context: &Context<'_>) -> Validation {
    let result = context.reply.result();
    let metadata = result.map(|r| Metadata::of(r, context.tool));
    let flaw = result.and_then(|r| Flaw::of(r, context.tool, context.revision));
    let error = Failure::of(context);
    let business =
        error.as_ref().map(|e| Business::of(&context.tool.name, context.input, &e.text, e.code));
    let blame = error.as_ref().map(|e| Blame::of(&told(&e.text), e.code, context.basis));
    let mut issues: Vec<Issue> = Vec::new();
    let ours = match (&error, blame) {
        (Some(error), Some(blame)) => failed(context, error, blame, &mut issues),
        (Some(_), None) | (None, _) => answered(context, flaw.as_ref(), &mut issues),
    };
    let doubt = business.as_ref().map_or(0.0, |b| (b.confidence * 100.0).round());
    let (seed, seed_confidence) = by_guide(context, metadata.as_ref(), business.as_ref());
    Validation {
        ours,
        confidence: points(ours, doubt),
        seed,
        seed_confidence,
        issues,
        metadata,
        business,
        blame,
    }
}

/// The guide's confidence for each class; that of an error is how much speaks for business logic.
fn points(class: Classification, doubt: f64) -> f64 {
    match class {
        Classification::FullyWorking => 100.0,
        Classification::PartiallyWorking => 70.0,
        Classification::ConnectivityOnly => 30.0,
        Classification::Broken => 0.0,
        Classification::Error => doubt,
    }
}

/// An error in any of its three dresses.
struct Failure {
    text: String,
    code: Option<i64>,
    disguised: bool,
}

impl Failure {
    fn of(context: &Context<'_>) -> Option<Failure> {
        let plain = |text: String, code| Some(Failure { text, code, disguised: false });
        match &context.answer {
            Answer::ToolError(text) => plain(text.clone(), None),
            Answer::Refused { code, message } => plain(message.clone(), Some(*code)),
            Answer::Accepted => disguised_error(context.reply).map(|text| Failure {
                text,
                code: None,
                disguised: true,
            }),
            Answer::Malformed(_) | Answer::Crashed | Answer::Hung | Answer::Unseen(_) => None,
        }
    }
}

fn failed(
    context: &Context<'_>,
    error: &Failure,
    blame: Blame,
    issues: &mut Vec<Issue>,
) -> Classification {
    let mut note = |says: String| issues.push(Issue { layer: Layer::Semantics, says });
    if error.disguised {
        note(format!("an error is sent as a success: \"{}\"", quote(&error.text)));
    }
    match (context.category, blame) {
        (Category::HappyPath, Blame::Code) => {
            note(format!("its code fails: \"{}\"", quote(&error.text)));
            Classification::Broken
        }
        (Category::HappyPath, Blame::Tool) => {
            note(format!("fails on a valid input: \"{}\"", quote(&error.text)));
            Classification::Error
        }
        (_, Blame::Surroundings) | (Category::HappyPath, Blame::Input) => {
            Classification::ConnectivityOnly
        }
        (Category::ErrorCase, _) if context.as_typical => Classification::ConnectivityOnly,
        (Category::EdgeCase | Category::Boundary, Blame::Code) => {
            note(format!("its code fails on an unusual value: \"{}\"", quote(&error.text)));
            Classification::Broken
        }
        (Category::ErrorCase, Blame::Code) => {
            note(format!("the value is used before it is looked at: \"{}\"", quote(&error.text)));
            Classification::PartiallyWorking
        }
        (_, Blame::Input | Blame::Tool) if error.disguised => Classification::PartiallyWorking,
        (
            Category::EdgeCase | Category::Boundary | Category::ErrorCase,
            Blame::Input | Blame::Tool,
        ) => Classification::FullyWorking,
    }
}

fn answered(context: &Context<'_>, flaw: Option<&Flaw>, issues: &mut Vec<Issue>) -> Classification {
    let mut note = |layer, says: &str| issues.push(Issue { layer, says: says.to_owned() });
    match &context.answer {
        Answer::Crashed => note(Layer::Structure, "the server died"),
        Answer::Hung => note(Layer::Structure, "no answer in the time allowed"),
        Answer::Malformed(why) => note(Layer::Structure, why),
        Answer::Unseen(why) => {
            note(Layer::Structure, why);
            return Classification::ConnectivityOnly;
        }
        Answer::Accepted | Answer::ToolError(_) | Answer::Refused { .. } => {
            return accepted(context, flaw, issues);
        }
    }
    Classification::Broken
}

fn accepted(context: &Context<'_>, flaw: Option<&Flaw>, issues: &mut Vec<Issue>) -> Classification {
    if context.category == Category::ErrorCase {
        let says = "arguments against its own schema are accepted".to_owned();
        issues.push(Issue { layer: Layer::Semantics, says });
    }
    if let Some(flaw) = flaw {
        issues.push(Issue { layer: flaw.layer, says: flaw.says.clone() });
        let nothing = context
            .reply
            .result()
            .is_none_or(|r| r.get("content").is_none() && r.get("structuredContent").is_none());
        return match flaw.layer {
            Layer::Structure if nothing => Classification::Broken,
            Layer::Content => Classification::ConnectivityOnly,
            Layer::Structure | Layer::Semantics | Layer::ToolSpecific => {
                Classification::PartiallyWorking
            }
        };
    }
    if issues.is_empty() { Classification::FullyWorking } else { Classification::PartiallyWorking }
}

/// The guide's verdict: content is success, an error is success if business logic speaks, a broken
/// output schema makes it partial. It knows neither the scenario nor where the input came from.
fn by_guide(
    context: &Context<'_>,
    metadata: Option<&Metadata>,
    business: Option<&Business>,
) -> (Classification, f64) {
    let is_error = match &context.answer {
        Answer::ToolError(_) | Answer::Refused { .. } => true,
        Answer::Accepted => false,
        Answer::Malformed(_) | Answer::Crashed | Answer::Hung | Answer::Unseen(_) => {
            return (Classification::Broken, 0.0);
        }
    };
    if let Some(business) = business.filter(|_| is_error) {
        return if business.is_business() {
            (Classification::FullyWorking, 100.0)
        } else {
            (Classification::Error, (business.confidence * 100.0).round())
        };
    }
    let content = context.reply.result().and_then(|r| r.get("content")).and_then(Value::as_array);
    let broken_promise =
        metadata.and_then(|m| m.output_schema.as_ref()).is_some_and(|s| !s.is_valid());
    match content {
        None => (Classification::Broken, 0.0),
        Some(blocks) if blocks.is_empty() => (Classification::Broken, 0.0),
        Some(_) if broken_promise => (Classification::PartiallyWorking, 70.0),
        Some(_) => (Classification::FullyWorking, 100.0),
    }
}
