//! What a tool's responses were made of and came to, summed up for the report.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::ToolVerdict;
use crate::evidence::{Evidence, Reply};
use crate::response::{Category, Classification, Looked, Metadata, Record};

/// How a tool's responses are classified.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ClassificationReport {
    /// By the rule that errors on valid input are defects, whatever the tool is called.
    pub ours: Classification,
    /// By the response validator guide, to compare.
    pub seed: Classification,
    /// 0 to 100: the responses' confidences, weighed by their classes.
    pub confidence: f64,
}

/// Scenarios of one category by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScenarioCounts {
    pub passed: usize,
    pub failed: usize,
    /// Answered, and showed nothing of the tool's work.
    pub unproven: usize,
    pub unseen: usize,
}

/// What a tool's responses were made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MetadataReport {
    /// Results that were looked at.
    pub results: usize,
    /// In order of first appearance.
    pub content_types: Vec<String>,
    pub text_blocks: usize,
    pub images: usize,
    pub audio: usize,
    pub resources: usize,
    /// Results with `structuredContent`.
    pub structured: usize,
    /// Results with `_meta`.
    pub meta: usize,
    /// Of a tool with `outputSchema`: successes that conform, and that do not.
    pub schema_valid: usize,
    pub schema_invalid: usize,
}

impl MetadataReport {
    fn add(&mut self, metadata: &Metadata) {
        self.results += 1;
        for kind in &metadata.content_types {
            if !self.content_types.contains(kind) {
                self.content_types.push(kind.clone());
            }
        }
        self.text_blocks += metadata.text_blocks;
        self.images += metadata.images;
        self.audio += metadata.audio;
        self.resources += metadata.resources;
        self.structured += usize::from(metadata.structured_content);
        self.meta += usize::from(metadata.meta);
        let schema = metadata.output_schema.as_ref().map(crate::response::SchemaResult::is_valid);
        self.schema_valid += usize::from(schema == Some(true));
        self.schema_invalid += usize::from(schema == Some(false));
    }
}

pub(super) fn classification(
    record: &Record,
    verdict: ToolVerdict,
) -> Option<ClassificationReport> {
    let ours = record.ours()?;
    Some(ClassificationReport {
        ours: within(ours, verdict),
        seed: record.seed()?,
        confidence: record.confidence()?,
    })
}

/// Checks see more than one response at a time; what they found wrong bounds the class.
fn within(ours: Classification, verdict: ToolVerdict) -> Classification {
    match verdict {
        ToolVerdict::Working | ToolVerdict::Unexercised => ours,
        ToolVerdict::PartiallyWorking => ours.max(Classification::PartiallyWorking),
        ToolVerdict::Broken => ours.max(Classification::Error),
    }
}

pub(super) fn metadata(record: &Record) -> Option<MetadataReport> {
    let mut sum = MetadataReport::default();
    record.validations.iter().filter_map(|(_, v)| v.metadata.as_ref()).for_each(|m| sum.add(m));
    (sum.results > 0).then_some(sum)
}

pub(super) fn scenarios(record: &Record) -> BTreeMap<Category, ScenarioCounts> {
    let mut counts: BTreeMap<Category, ScenarioCounts> = BTreeMap::new();
    for (category, validation) in &record.validations {
        let of = counts.entry(*category).or_default();
        match validation.ours {
            Classification::FullyWorking => of.passed += 1,
            Classification::ConnectivityOnly => of.unproven += 1,
            Classification::PartiallyWorking | Classification::Error | Classification::Broken => {
                of.failed += 1;
            }
        }
    }
    for category in &record.unseen {
        counts.entry(*category).or_default().unseen += 1;
    }
    counts
}

/// What the assessment's confidence rests on.
pub(super) fn looked(evidence: &Evidence, records: &BTreeMap<&str, Record>) -> Looked {
    let made = evidence
        .transcript
        .iter()
        .filter(|x| x.subject.tool().is_some())
        .filter(|x| !matches!(*x.reply, Reply::Skipped { .. }));
    let answered = |reply: &Reply| matches!(reply, Reply::Result { .. } | Reply::Error { .. });
    Looked {
        tests: made.clone().count(),
        scenarios: records.values().map(|r| r.validations.len()).sum(),
        validations: made.filter(|x| answered(&x.reply)).count(),
    }
}
