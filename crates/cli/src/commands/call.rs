//! `call`: one tool, once, and the reply as it came.

use std::process::ExitCode;

use anyhow::{Context, Result};
use proofmark_core::evidence::Reply;
use proofmark_live::call::{CallError, Called, call};
use proofmark_live::{GatherError, Options};
use serde_json::{Value, json};

use super::assess::shim;
use crate::args::Call;
use crate::screen::Screen;
use crate::target;
use crate::verdict::CouldNotAssess;

pub(super) fn run(args: &Call, screen: &Screen) -> Result<ExitCode> {
    let target = target::of(&args.target)?;
    let options = Options {
        call_timeout: args.timeout,
        isolation: args.isolation.into(),
        shim: Some(shim()?),
        ..Options::default()
    };
    // Only a second install can fail, and then the first one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    crate::interrupt::clean_up_on_panic();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("can't start; are there too many threads or open files?")?;
    let called = runtime
        .block_on(call(&target, &options, &args.tool, &args.arguments))
        .map_err(could_not_call)?;
    screen.print(&format!("{:#}\n", shown(&called.reply)))?;
    tell(&called, screen);
    Ok(ExitCode::from(u8::from(called.reply.result().is_none() || called.reply.is_tool_error())))
}

/// The result or error as it came; for anything else, what happened instead.
fn shown(reply: &Reply) -> Value {
    match reply {
        Reply::Result { value } => value.clone(),
        Reply::Error { code, message, data } => {
            json!({ "error": { "code": code, "message": message, "data": data } })
        }
        Reply::Malformed { raw, why } => json!({ "malformed": raw, "why": why }),
        Reply::Silence | Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            json!({ "no_answer": reply.why_unseen() })
        }
    }
}

fn tell(called: &Called, screen: &Screen) {
    for effect in &called.effects {
        screen.note(&format!("changed: {}", effect.path()));
    }
    for visit in &called.visits {
        screen.note(&format!("called us: {} {}", visit.method, visit.path));
    }
}

fn could_not_call(error: CallError) -> anyhow::Error {
    match error {
        CallError::Source | CallError::Ground(GatherError::Wire(_)) => error.into(),
        CallError::Ground(_) | CallError::Down(_) => CouldNotAssess(error.to_string()).into(),
    }
}
