//! HTTP requests beside the session.

use proofmark_core::evidence::Reply;

use super::{Session, Trace, dispatch};
use crate::wire::Outgoing;

impl Session {
    /// One HTTP request beside the session; the reply is whatever its own answer holds.
    pub(super) async fn visit(&self, out: Outgoing, trace: &mut Trace) -> Reply {
        let visit = match self.wire.visit(out).await {
            Ok(visit) => visit,
            Err(error) => return self.unsent(error),
        };
        trace.frames.extend(visit.frames);
        trace.http = Some(visit.http);
        match visit.response {
            Some(response) => dispatch::read_response(&response),
            // Whatever else it holds stands in the facts.
            None => Reply::Silence,
        }
    }
}
