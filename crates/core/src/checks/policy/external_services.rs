//! Services beyond the server: which ones it speaks to, and whether it is who its name suggests.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::check::{Check, Confidence, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::manifest::{Kind, manifests};
use crate::probe::words;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "policy/external-services",
    title: "External services are named and reached safely",
    facet: Facet::ExternalApis,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("external_services.md"),
    judge,
};

/// A service by its word, its host, and the start of its environment variables.
const SERVICES: &[(&str, &str, &str)] = &[
    ("anthropic", "api.anthropic.com", "ANTHROPIC_"),
    ("openai", "api.openai.com", "OPENAI_"),
    ("github", "api.github.com", "GITHUB_"),
    ("gitlab", "gitlab.com/api", "GITLAB_"),
    ("slack", "slack.com/api", "SLACK_"),
    ("notion", "api.notion.com", "NOTION_"),
    ("stripe", "api.stripe.com", "STRIPE_"),
    ("paypal", "api.paypal.com", "PAYPAL_"),
    ("google", "googleapis.com", "GOOGLE_"),
    ("discord", "discord.com/api", "DISCORD_"),
    ("telegram", "api.telegram.org", "TELEGRAM_"),
    ("twilio", "api.twilio.com", "TWILIO_"),
    ("sendgrid", "api.sendgrid.com", "SENDGRID_"),
    ("airtable", "api.airtable.com", "AIRTABLE_"),
    ("hubspot", "api.hubapi.com", "HUBSPOT_"),
    ("salesforce", "salesforce.com", "SALESFORCE_"),
    ("shopify", "myshopify.com", "SHOPIFY_"),
    ("jira", "atlassian.net", "JIRA_"),
    ("linear", "api.linear.app", "LINEAR_"),
    ("figma", "api.figma.com", "FIGMA_"),
    ("brave", "api.search.brave.com", "BRAVE_"),
    ("exa", "api.exa.ai", "EXA_"),
    ("tavily", "api.tavily.com", "TAVILY_"),
    ("firecrawl", "api.firecrawl.dev", "FIRECRAWL_"),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let texts = texts(evidence);
    if texts.is_empty() {
        let why = evidence.why_unseen().unwrap_or_else(|| "there is no text to read".to_owned());
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut findings = cleartext(evidence);
    let reached: BTreeMap<&str, &str> = SERVICES
        .iter()
        .filter_map(|(name, host, prefix)| {
            let told = |mark: &str| texts.iter().any(|t| t.contains(mark));
            told(host)
                .then_some(*host)
                .or_else(|| told(prefix).then_some(*prefix))
                .map(|m| (*name, m))
        })
        .collect();
    findings.extend(affiliation(evidence, &texts));
    if !reached.is_empty() && findings.is_empty() {
        let told: Vec<String> =
            reached.iter().map(|(name, mark)| format!("{name} ({mark})")).collect();
        findings.push(Finding::pass(Subject::Server, format!("speaks to {}", told.join(", "))));
    }
    findings
}

fn texts(evidence: &Evidence) -> Vec<&str> {
    let source = evidence.source.as_ref();
    let documents = source.into_iter().flat_map(|s| s.readme.iter().chain(&s.manifests));
    let definitions = evidence.definitions().into_iter().map(|d| d.text);
    documents.map(|d| d.text.as_str()).chain(definitions).collect()
}

/// Remotes of the registry entry without encryption.
fn cleartext(evidence: &Evidence) -> Vec<Finding> {
    let entries = evidence.source.iter().flat_map(manifests).filter_map(Result::ok);
    let entries = entries.filter(|m| m.kind == Kind::Registry);
    let mut found = Vec::new();
    for entry in entries {
        let remotes = entry.at("/remotes").and_then(Value::as_array).into_iter().flatten();
        let bare = remotes.filter_map(|r| r.get("url")?.as_str()).filter(|url| {
            let rest = url.strip_prefix("http://");
            rest.is_some_and(|host| !host.starts_with("localhost") && !host.starts_with("127."))
        });
        found.extend(bare.map(|url| {
            let subject = Subject::File { file: entry.path.to_owned(), line: None };
            let says = format!("the remote {} is reached without encryption", quote(url));
            Finding::fail(subject, says, "offer the server at https:// only")
        }));
    }
    found
}

/// Named after a service, with nothing that says whether it is from there.
fn affiliation(evidence: &Evidence, texts: &[&str]) -> Option<Finding> {
    let package = evidence.source.as_ref()?.package.as_ref()?.name.as_deref()?;
    let owner = package.strip_prefix('@').and_then(|p| p.split('/').next()).unwrap_or_default();
    let named = words(package);
    let (brand, ..) = SERVICES.iter().find(|(name, ..)| named.iter().any(|word| word == name))?;
    let told = |t: &&str| {
        let text = t.to_lowercase();
        ["official", "affiliated", "endorsed", "third-party", "third party", "community"]
            .iter()
            .any(|word| text.contains(word))
    };
    (!owner.contains(brand) && !texts.iter().any(told)).then(|| {
        Finding::fail(
            Subject::Server,
            format!(
                "{} is named after {brand} and does not say whether it comes from there",
                quote(package)
            ),
            format!(
                "say in the README that it is official, or that it is not affiliated with {brand}"
            ),
        )
        .suspected()
        .confidence(Confidence::Low)
    })
}
