//! The progress bar: what is running, calls done of planned, findings so far, time left.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use proofmark_core::event::Event;
use proofmark_core::render::text::{clean, clip};

const WAITING: &str = "{spinner} {prefix} {elapsed} {wide_msg:.dim}";
const CALLING: &str =
    "{spinner} {prefix} {bar:20.cyan/dim} {pos}/{len} calls{left} · {wide_msg:.dim}";

pub(super) struct Bar {
    bar: ProgressBar,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    failed: Option<usize>,
    running: String,
}

impl Bar {
    pub(super) fn new() -> Bar {
        let bar = ProgressBar::new_spinner();
        bar.set_style(style(WAITING));
        bar.enable_steady_tick(Duration::from_millis(120));
        Bar { bar, seen: Mutex::default() }
    }

    pub(super) fn show(&self, event: &Event) {
        match event {
            Event::Starting { target } => self.stage("starting", &clean(target)),
            Event::Isolated { .. } => {}
            Event::Up { server, .. } => self.stage("listing", &clean(server)),
            Event::Down { cause, .. } => self.stage("down", &clean(cause)),
            Event::Inventory { tools, .. } => {
                self.stage("planning", &format!("{tools} tools"));
            }
            Event::Planned { calls, .. } => {
                self.bar.set_length(*calls);
                self.bar.set_style(style(CALLING));
                self.bar.set_prefix("calling");
            }
            Event::CallStarted { subject, label, .. } => {
                let text = format!("{subject}: {label}");
                self.change(|seen| seen.running = clip(&clean(&text), 60, "…"));
            }
            Event::CallDone { .. } => self.bar.inc(1),
            Event::Findings { failed, .. } => self.change(|seen| seen.failed = Some(*failed)),
            Event::Restarted { restarts } => {
                self.say(&format!("the server went away and was started again ({restarts})"));
            }
            Event::Reading { files, done } => {
                self.stage("reading", &format!("{done} of {files} files"));
            }
            Event::Note { text } => self.say(text),
            Event::Done { .. } => self.clear(),
        }
    }

    /// A line above the bar.
    pub(super) fn say(&self, text: &str) {
        self.bar.println(clean(text));
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn stage(&self, name: &'static str, about: &str) {
        self.bar.set_prefix(name);
        self.bar.set_message(clip(about, 60, "…"));
    }

    fn change(&self, change: impl FnOnce(&mut Seen)) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut seen);
        let found = seen.failed.map(|n| format!("{n} failing · ")).unwrap_or_default();
        self.bar.set_message(format!("{found}{}", seen.running));
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("left", time_left)
}

/// Nothing before there is something to reckon from.
fn time_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    if state.pos() > 0 {
        // Only a full buffer could fail, and there is none.
        let _ = write!(out, " · {:#} left", HumanDuration(state.eta()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_valid() {
        for template in [WAITING, CALLING] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
