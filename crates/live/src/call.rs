//! One call of one tool, on the same ground as a run: to see again what a report tells of.

use proofmark_core::evidence::{Effect, ExchangeId, Reply, Startup, Visit};
use proofmark_core::probe::Send;
use proofmark_core::target::Target;
use serde_json::{Value, json};

use crate::gather::{GatherError, down, open};
use crate::options::Options;
use crate::site::Site;

/// What one call came to; paths and addresses of ours as they appear in evidence.
#[derive(Debug)]
pub struct Called {
    pub reply: Reply,
    /// What changed in the scratch area.
    pub effects: Vec<Effect>,
    /// What our pages were asked for.
    pub visits: Vec<Visit>,
}

#[derive(Debug, thiserror::Error)]
pub enum CallError {
    #[error(transparent)]
    Ground(#[from] GatherError),
    #[error("a source tree has no tools to call; give a command, --url or --sse")]
    Source,
    #[error("the server did not come up: {0}")]
    Down(String),
}

/// Starts or reaches the server, calls the tool once, and ends everything.
pub async fn call(
    target: &Target,
    options: &Options,
    tool: &str,
    arguments: &Value,
) -> Result<Called, CallError> {
    if matches!(target, Target::Source { .. }) {
        return Err(CallError::Source);
    }
    let site = Site::prepare(target, options)?;
    let connector = site.connector(target, options);
    let line = match open(&connector).await {
        Ok((line, _)) => line,
        Err((no_line, said)) => {
            let startup = down(&connector, no_line, &said).await;
            let why = match startup {
                Startup::Down { says, way_out, .. } => format!("{says}; {way_out}"),
                Startup::Up { .. } | Startup::NotTried => "no reason was given".to_owned(),
            };
            return Err(CallError::Down(why));
        }
    };
    let params = json!({ "name": tool, "arguments": arguments });
    let send = connector.reveal(&Send::request("tools/call", Some(params)));
    let answered = line.session.call(&send, ExchangeId(0), options.call_timeout).await;
    line.end().await;
    Ok(Called { reply: answered.reply, effects: site.effects(), visits: site.visits() })
}
