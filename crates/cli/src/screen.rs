//! The two streams: the report on standard output, all else on standard error.

use std::env;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use proofmark_core::render::terminal::{Detail, Style};
use proofmark_core::render::text;

use crate::args::{Color, Output};

/// What the terminal can show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    width: usize,
    color: bool,
    color_errors: bool,
    unicode: bool,
}

impl Screen {
    pub(crate) fn detect(color: Color) -> Screen {
        match color {
            Color::Auto => {}
            Color::Always => ColorChoice::AlwaysAnsi.write_global(),
            Color::Never => ColorChoice::Never.write_global(),
        }
        let width = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
        Screen {
            width: width.map_or(Style::PLAIN.width, |(w, _)| usize::from(w.0)),
            color: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            color_errors: AutoStream::choice(&io::stderr()) != ColorChoice::Never,
            unicode: speaks_unicode(|name| env::var(name).ok()),
        }
    }

    pub(crate) fn style(&self, detail: Detail) -> Style {
        Style { width: self.width, color: self.color, unicode: self.unicode, detail }
    }

    /// Where a line has to end: nowhere, unless it is a terminal.
    pub(crate) fn limit(&self) -> Option<usize> {
        io::stdout().is_terminal().then_some(self.width)
    }

    /// Prints to standard output. A reader that went away has seen enough.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// A line for people who did not ask for quiet.
    pub(crate) fn note_unless(&self, quiet: bool, text: &str) {
        if !quiet {
            self.note(text);
        }
    }

    /// A line for people, on standard error.
    pub(crate) fn note(&self, text: &str) {
        // Nobody left to tell when standard error is closed.
        let _ = writeln!(io::stderr(), "{text}");
    }

    pub(crate) fn error(&self, error: &anyhow::Error) {
        let label = if self.color_errors { "\x1b[1;31merror:\x1b[0m" } else { "error:" };
        let lines: Vec<String> = format!("{error:#}").lines().map(text::clean).collect();
        self.note(&format!("{label} {}", lines.join("\n")));
    }
}

impl Output {
    pub(crate) fn detail(&self) -> Detail {
        detail(self.quiet, self.verbose)
    }
}

/// How much --quiet and --verbose leave to be told.
pub(crate) fn detail(quiet: bool, verbose: bool) -> Detail {
    match (quiet, verbose) {
        (true, _) => Detail::Headline,
        (false, true) => Detail::Full,
        (false, false) => Detail::Normal,
    }
}

/// The locale decides; without one, today's terminals do.
fn speaks_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    if variable("TERM").is_some_and(|t| t == "linux" || t == "dumb") {
        return false;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty())
        .map(|value| value.to_lowercase());
    locale.is_none_or(|l| l.contains("utf-8") || l.contains("utf8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_about_unicode() {
        let with = |name: &'static str, value: &'static str| {
            speaks_unicode(move |n| (n == name).then(|| value.to_owned()))
        };
        assert!(with("LANG", "de_DE.UTF-8"));
        assert!(with("LC_ALL", "C.utf8"));
        assert!(with("NOTHING", ""));
        assert!(!with("LANG", "C"));
        assert!(!with("TERM", "dumb"));
    }
}
