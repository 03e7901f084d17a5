//! Everyone who watches one run.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use anyhow::{Context, Result};
use proofmark_core::event::{Watcher, nobody};

use super::bar::Bar;
use super::jsonl::Lines;
use crate::args::values::Events;
use crate::screen::Screen;

pub(crate) type Voice = Box<dyn Fn(&str) + Send + Sync>;

pub(crate) struct Watch {
    bar: Option<Arc<Bar>>,
    lines: Option<Arc<Lines>>,
}

impl Watch {
    /// The bar shows only on a terminal, and not where it would tear up lines of events.
    pub(crate) fn open(quiet: bool, events: Option<&Events>) -> Result<Watch> {
        let lines = match events {
            None => None,
            Some(Events::Stderr) => Some(Arc::new(Lines::new(Box::new(io::stderr())))),
            Some(Events::File(path)) => {
                let file = std::fs::File::create(path).with_context(|| {
                    format!("can't write events to {}; choose another path", path.display())
                })?;
                Some(Arc::new(Lines::new(Box::new(file))))
            }
        };
        let on_stderr = events == Some(&Events::Stderr);
        let show = !quiet && !on_stderr && io::stderr().is_terminal();
        Ok(Watch { bar: show.then(|| Arc::new(Bar::new())), lines })
    }

    pub(crate) fn watcher(&self) -> Watcher {
        match (self.bar.clone(), self.lines.clone()) {
            (None, None) => nobody(),
            (bar, lines) => Arc::new(move |event| {
                if let Some(lines) = &lines {
                    lines.write(&event);
                }
                if let Some(bar) = &bar {
                    bar.show(&event);
                }
            }),
        }
    }

    /// Tells the user something without tearing up the bar.
    pub(crate) fn voice(&self, screen: Screen) -> Voice {
        let bar = self.bar.clone();
        Box::new(move |text| match &bar {
            Some(bar) => bar.say(text),
            None => screen.note(text),
        })
    }

    /// The run is over: the bar goes away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.clear();
        }
    }
}
