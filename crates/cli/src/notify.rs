//! Notices to a webhook. Whatever happens to them is a warning, never a verdict.

use std::env;

use anyhow::{Result, anyhow, bail};
use proofmark_core::notice::Notice;
use proofmark_core::report::Report;
use proofmark_live::notify::Hook;

use crate::args::{NotifyArgs, NotifyOn};
use crate::gates::Gates;
use crate::screen::Screen;

/// Whom to tell, and when.
#[derive(Debug)]
pub(crate) struct Notify {
    hook: Hook,
    on: NotifyOn,
}

impl Notify {
    /// A wrong address is found before the run.
    pub(crate) fn of(args: &NotifyArgs, gates: &Gates) -> Result<Option<Notify>> {
        let Some(given) = &args.notify else { return Ok(None) };
        if args.notify_on == NotifyOn::Regression && !gates.has_baseline() {
            bail!(
                "--notify-on regression: there is nothing to compare with; give --baseline with a JSON report or evidence"
            );
        }
        let address = match given.strip_prefix("env:") {
            None => given.clone(),
            Some(name) => env::var(name).unwrap_or_default(),
        };
        if address.trim().is_empty() {
            bail!("--notify {given}: the environment variable is not set; put the address there");
        }
        let hook = Hook::parse(&address).map_err(|e| anyhow!("--notify: {e}"))?;
        Ok(Some(Notify { hook, on: args.notify_on }))
    }

    pub(crate) fn tell(&self, report: &Report, gates: &Gates, screen: &Screen) {
        let worse = gates.worse(report);
        if self.on == NotifyOn::Regression && worse.is_empty() {
            return;
        }
        if let Err(why) = self.post(&Notice::of(report, worse)) {
            screen.note(&format!("warning: --notify: {why:#}"));
        }
    }

    fn post(&self, notice: &Notice) -> Result<()> {
        let body = serde_json::to_string(notice)?;
        // Only a second install can fail, and then the first one serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(self.hook.post(body))?)
    }
}
