//! Requests beside the session.

use proofmark_core::evidence::{Reply, Skip};

use super::{Session, Trace};
use crate::wire::Outgoing;

/// What is kept of a page.
const KEPT: usize = 4096;

impl Session {
    /// Its answer is a document, not a message.
    pub(super) async fn aside(&self, url: &str, out: Outgoing, trace: &mut Trace) -> Reply {
        let Some(http) = self.wire.http() else { return Reply::Skipped { why: Skip::Transport } };
        let answer = match http.aside(url, out).await {
            Ok(answer) => answer,
            Err(error) => return self.unsent(error),
        };
        trace.frames.push(answer.frame);
        trace.http = Some(answer.http.clone());
        let text = answer.body().await;
        match serde_json::from_str(&text) {
            Ok(value) => Reply::Result { value },
            // A page for people.
            Err(_) => {
                let shown = self.shared.record.scrub().text(&text);
                let kept: String = shown.chars().take(KEPT).collect();
                if let Some(http) = trace.http.as_mut().filter(|_| !kept.is_empty()) {
                    http.body = Some(kept);
                }
                Reply::Silence
            }
        }
    }
}
