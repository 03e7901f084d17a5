//! A rehearsal with an invented server: patterns and tables are made on first use, which had
//! better be while the real server starts than while it waits for the next call.

use proofmark_core::check::Check;
use proofmark_core::evidence::{Evidence, ExchangeId, Handshake, Reply, ServerInfo, Tool};
use proofmark_core::revision::Revision;
use serde_json::json;

use crate::schedule;

/// Plans what the run will plan, for a tool with a parameter of each kind.
pub(crate) fn rehearse(mut evidence: Evidence, checks: &[&'static Check]) {
    let tool = json!({"name": "get_sample", "description": "Returns a sample.", "inputSchema": {
        "type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "path": {"type": "string"}, "url": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 9}, "ids": {"type": "array"},
            "format": {"enum": ["json", "text"]}, "code": {"type": "string", "pattern": "^[a-z]+$"},
        },
    }});
    evidence.inventory.tools = Tool::from_raw(&tool).into_iter().collect();
    evidence.handshake = Some(Handshake {
        revision: Revision::NEWEST_HANDSHAKE,
        answered: Revision::NEWEST_HANDSHAKE.as_str().to_owned(),
        supported: Vec::new(),
        server: ServerInfo::default(),
        capabilities: json!({"tools": {}}),
        instructions: None,
        exchange: ExchangeId(0),
    });
    let (probes, seed) = (schedule::probes(checks, &evidence), evidence.conditions.seed);
    for _ in 0..2 {
        schedule::plan(&mut evidence, &probes, seed);
        for x in &mut evidence.transcript {
            x.reply =
                Reply::Result { value: json!({"content": [{"type": "text", "text": "a"}]}) }.into();
        }
    }
}
