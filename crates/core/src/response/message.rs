//! How good an error message about a parameter is, judged by what it says.

mod named;
mod readable;
#[cfg(test)]
mod tests;
mod wording;

use serde_json::{Map, Value};

use crate::probes::wrong_input::Kind;

/// What a good message does. Five make ten points; the other two make up for one that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Virtue {
    NamesParameter,
    SaysExpected,
    Readable,
    KeepsInternals,
    RightChannel,
    GivesReceived,
    ShowsWayOut,
}

impl Virtue {
    pub const ALL: &'static [Virtue] = &[
        Virtue::NamesParameter,
        Virtue::SaysExpected,
        Virtue::Readable,
        Virtue::KeepsInternals,
        Virtue::RightChannel,
        Virtue::GivesReceived,
        Virtue::ShowsWayOut,
    ];

    pub fn points(self) -> u32 {
        match self {
            Virtue::NamesParameter | Virtue::SaysExpected => 3,
            Virtue::Readable => 2,
            Virtue::KeepsInternals
            | Virtue::RightChannel
            | Virtue::GivesReceived
            | Virtue::ShowsWayOut => 1,
        }
    }

    /// What a message without it does, after "the message".
    pub fn lack(self) -> &'static str {
        match self {
            Virtue::NamesParameter => "does not name the parameter",
            Virtue::SaysExpected => "does not say what was expected",
            Virtue::Readable => "is nothing a reader could understand",
            Virtue::KeepsInternals => "shows internals of the server",
            Virtue::RightChannel => "comes in the wrong channel",
            Virtue::GivesReceived => "does not say what was received",
            Virtue::ShowsWayOut => "shows no way out",
        }
    }
}

/// What a message is about.
#[derive(Debug, Clone, Copy)]
pub struct Fault<'a> {
    pub kind: Kind,
    /// The name of the parameter at fault.
    pub parameter: &'a str,
    /// Its schema, in plain form.
    pub schema: &'a Map<String, Value>,
    pub sent: Option<&'a Value>,
}

/// What a message does well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quality {
    has: Vec<Virtue>,
}

impl Quality {
    const FULL: u32 = 10;

    pub fn of(text: &str, fault: &Fault<'_>, internals: bool, right_channel: bool) -> Quality {
        let readable = readable::is_readable(text);
        let has = |virtue: &Virtue| match virtue {
            Virtue::NamesParameter => named::is_named(text, fault.parameter),
            Virtue::SaysExpected => wording::says_expected(text, fault),
            Virtue::Readable => readable,
            // No merit of a message that says nothing.
            Virtue::KeepsInternals => readable && !internals,
            Virtue::RightChannel => readable && right_channel,
            Virtue::GivesReceived => wording::gives_received(text, fault),
            Virtue::ShowsWayOut => wording::shows_way_out(text),
        };
        Quality { has: Virtue::ALL.iter().copied().filter(has).collect() }
    }

    pub fn has(&self, virtue: Virtue) -> bool {
        self.has.contains(&virtue)
    }

    /// 0 to 1.
    pub fn grade(&self) -> f64 {
        let points: u32 = self.has.iter().map(|v| v.points()).sum();
        // Nothing makes up for internals: a stack trace is full of words that would.
        let most = match self.has(Virtue::KeepsInternals) {
            true => Quality::FULL,
            false => Quality::FULL - Virtue::KeepsInternals.points(),
        };
        f64::from(points.min(most)) / f64::from(Quality::FULL)
    }

    /// What is missing, the weightiest first; what makes up is named only where something is lost.
    pub fn lacks(&self) -> Vec<Virtue> {
        let all = Virtue::ALL.iter().copied();
        if self.grade() >= 1.0 { Vec::new() } else { all.filter(|v| !self.has(*v)).collect() }
    }
}
