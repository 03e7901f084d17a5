//! What came of an HTTP request beside the session, as the rules about HTTP read it.

use serde_json::Value;

use super::{Conversation, Ruling};
use crate::evidence::{EventStream, Exchange, HttpFacts, Reply};
use crate::probe::{Connection, Send};

/// One answered HTTP request.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    pub x: &'a Exchange,
    pub facts: &'a HttpFacts,
}

impl<'a> Conversation<'a> {
    /// The request that a probe made in this revision under this label. Such requests go over
    /// connections without a session of ours, so the label names the revision.
    pub fn visit(&self, probe: &str, label: &str) -> Result<Visit<'a>, Ruling> {
        let whole = format!("{label} {}", self.revision);
        let found = self.evidence.transcript.iter().find(|x| x.probe == probe && x.label == whole);
        let x = found.ok_or_else(|| Ruling::unseen(format!("{label}: not asked")))?;
        if let Connection::Side(side) = x.on
            && self.evidence.links.iter().filter(|l| l.side == side).count() > 1
        {
            return Err(Ruling::unseen(format!("{label}: the connection was lost on the way")));
        }
        let why =
            |x: &Exchange| x.reply.why_unseen().unwrap_or_else(|| "no HTTP answer".to_owned());
        match &x.http {
            Some(facts) => Ok(Visit { x, facts }),
            None => Err(Ruling::unseen(format!("{label}: {}", why(x))).seen_in(x.id)),
        }
    }

    /// The same, of a request that must have worked for others to tell anything.
    pub fn control(&self, probe: &str, label: &str) -> Result<Visit<'a>, Ruling> {
        let visit = self.visit(probe, label)?;
        match visit.worked() {
            true => Ok(visit),
            false => Err(Ruling::unseen(format!("{label}: {}", visit.shown())).seen_in(visit.x.id)),
        }
    }

    /// Everything a probe asked in this revision and got an HTTP answer to.
    pub fn visits(&self, probe: &str) -> Vec<Visit<'a>> {
        let ending = format!(" {}", self.revision);
        let all = self.evidence.transcript.iter();
        all.filter(|x| x.probe == probe && x.label.ends_with(&ending))
            .filter_map(|x| Some(Visit { x, facts: x.http.as_ref()? }))
            .collect()
    }
}

impl<'a> Visit<'a> {
    pub fn status(&self) -> u16 {
        self.facts.status
    }

    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.facts.headers.get(name).map(String::as_str)
    }

    /// The media type of the answer, without parameters.
    pub fn media(&self) -> &'a str {
        let whole = self.header("content-type").unwrap_or_default();
        whole.split(';').next().unwrap_or_default().trim()
    }

    pub fn stream(&self) -> Option<&'a EventStream> {
        self.facts.stream.as_ref()
    }

    /// A result with a status of success.
    pub fn worked(&self) -> bool {
        self.is_success() && self.x.result().is_some()
    }

    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.facts.status)
    }

    pub fn refused(&self) -> bool {
        self.facts.status >= 400
    }

    /// The messages in the answer.
    pub fn messages(&self) -> Vec<Value> {
        let of_stream = self.stream().into_iter().flat_map(|s| &s.events);
        let texts = of_stream.filter_map(|e| e.data.as_ref()).chain(&self.facts.body);
        texts.filter_map(|text| serde_json::from_str(text).ok()).collect()
    }

    /// The id of the request, if it had one.
    pub fn asked_id(&self) -> Option<Value> {
        self.asked("/id")
    }

    /// What stands at this place of the request.
    pub fn asked(&self, pointer: &str) -> Option<Value> {
        let Send::Http { body: Some(body), .. } = &self.x.send else { return None };
        serde_json::from_str::<Value>(body).ok()?.pointer(pointer).cloned()
    }

    /// The answer in a few words.
    pub fn shown(&self) -> String {
        let status = self.facts.status;
        match &*self.x.reply {
            Reply::Error { code, .. } => format!("HTTP {status} with error {code}"),
            Reply::Result { .. } => format!("HTTP {status} with a result"),
            Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. } => format!("HTTP {status}"),
        }
    }
}

/// A message that answers something.
pub fn is_response(message: &Value) -> bool {
    message.get("result").is_some() || message.get("error").is_some()
}
