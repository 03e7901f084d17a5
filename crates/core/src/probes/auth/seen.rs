//! What a protected server told: its challenge, its metadata, and that of its authorization server.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    NO_TOKEN, PROBE, RESOURCE_AT_PATH, RESOURCE_AT_ROOT, RESOURCE_NAMED, SERVER_AT_ROOT,
    SERVER_OAUTH, SERVER_OIDC, SERVER_OIDC_AFTER, is_protected, near,
};
use crate::evidence::{Evidence, Exchange, Reply};
use crate::revision::Revision;
use crate::spec::{Conversation, Ruling};

pub fn status(x: &Exchange) -> Option<u16> {
    x.http.as_ref().map(|h| h.status)
}

/// The request with this label, if it was answered.
pub fn asked<'a>(evidence: &'a Evidence, label: &str) -> Result<&'a Exchange, Ruling> {
    let x = evidence.of(PROBE.id).find(|x| x.label == label);
    let x = x.ok_or_else(|| Ruling::unseen(format!("{label}: not asked")))?;
    match (status(x), &x.reply) {
        (Some(_), _) => Ok(x),
        (None, reply) => {
            let why = reply.why_unseen().unwrap_or_else(|| "no HTTP answer".to_owned());
            Err(Ruling::unseen(format!("{label}: {why}")))
        }
    }
}

/// What was asked, without the revision, and the status of the answer.
pub fn shown(x: &Exchange) -> String {
    let label = match x.label.rsplit_once(' ') {
        Some((label, last)) if last.parse::<Revision>().is_ok() => label,
        Some(_) | None => &x.label,
    };
    format!("{label}: HTTP {}", status(x).unwrap_or_default())
}

/// How a request without a token was refused; without a refusal nothing is protected.
pub fn refusal<'a>(talk: &Conversation<'a>) -> Result<&'a Exchange, Ruling> {
    if !is_protected(talk.evidence) {
        return Err(Ruling::not_applicable("nothing here asks for a credential"));
    }
    let x = asked(talk.evidence, &format!("{NO_TOKEN} {}", talk.revision))?;
    match status(x) {
        Some(200..=299) => Err(Ruling::not_applicable("it also answers without a credential")),
        Some(_) | None => Ok(x),
    }
}

/// Servers may protect themselves in ways of their own, to which the rest does not apply.
pub fn follows_framework(talk: &Conversation<'_>) -> bool {
    let challenged = refusal(talk).ok().and_then(challenge).is_some();
    challenged || resource(talk.evidence).is_some() || metadata(talk.evidence).is_some()
}

/// The parameters of a `Bearer` challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge(BTreeMap<String, String>);

impl Challenge {
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}

/// What `WWW-Authenticate` says about bearer tokens.
pub fn challenge(x: &Exchange) -> Option<Challenge> {
    let value = x.http.as_ref()?.headers.get("www-authenticate")?;
    let start = value.to_ascii_lowercase().find("bearer")?;
    let mut rest = value.get(start + "bearer".len()..)?;
    let mut parameters = BTreeMap::new();
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (text, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(',').unwrap_or((after, "")),
        };
        let name = name.trim_matches([',', ' ']).to_ascii_lowercase();
        parameters.insert(name, text.trim().to_owned());
        rest = next;
    }
    Some(Challenge(parameters))
}

/// A metadata document, and where it was found.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    pub x: &'a Exchange,
    pub value: &'a Value,
}

fn document<'a>(evidence: &'a Evidence, label: &str, key: &str) -> Option<Document<'a>> {
    let x = asked(evidence, label).ok().filter(|x| status(x) == Some(200))?;
    let Reply::Result { value } = &*x.reply else { return None };
    value.get(key).is_some().then_some(Document { x, value })
}

/// The protected-resource metadata, wherever a client would find it first.
pub fn resource(evidence: &Evidence) -> Option<Document<'_>> {
    [RESOURCE_NAMED, RESOURCE_AT_PATH, RESOURCE_AT_ROOT]
        .into_iter()
        .find_map(|label| document(evidence, label, "resource"))
}

/// The same for a rule: the metadata, or why there is nothing to say about it.
pub fn resource_of<'a>(talk: &Conversation<'a>) -> Result<Document<'a>, Ruling> {
    let named = challenge(refusal(talk)?).and_then(|c| c.get("resource_metadata"));
    if let Some(url) = named.filter(|url| near(talk.evidence, url).is_none()) {
        let why = format!("the metadata is on another host, which is not asked: {url}");
        return Err(Ruling::not_testable(why));
    }
    resource(talk.evidence).ok_or_else(|| Ruling::not_testable("no metadata was found"))
}

/// The first authorization server that is named.
pub fn server(evidence: &Evidence) -> Option<String> {
    resource(evidence)?.value["authorization_servers"][0].as_str().map(str::to_owned)
}

/// What is known of the authorization server.
#[derive(Debug, Clone, Copy)]
pub struct Metadata<'a> {
    pub document: Document<'a>,
    /// By RFC 8414, not OpenID Connect alone.
    pub oauth: bool,
}

/// The metadata of the authorization server that is named, or of the host itself.
pub fn metadata(evidence: &Evidence) -> Option<Metadata<'_>> {
    let labels = match server(evidence) {
        Some(_) => vec![SERVER_OAUTH, SERVER_OIDC, SERVER_OIDC_AFTER],
        None => vec![SERVER_AT_ROOT],
    };
    labels.into_iter().find_map(|label| {
        let document = document(evidence, label, "issuer")?;
        Some(Metadata { document, oauth: label == SERVER_OAUTH || label == SERVER_AT_ROOT })
    })
}
