//! Servers over HTTP that leave something open.

use super::good::good;
use crate::mode::{Lock, Mode, Slack};

pub(super) const MODES: &[Mode] = &[
    Mode::good("takes-chosen-ids", good).leaving(Slack::ChosenIds),
    Mode::good("counts-session-ids", good).leaving(Slack::CountedIds),
    Mode {
        guards_origin: false,
        ..Mode::good("shares-with-all", good).leaving(Slack::SharesWithAll)
    },
    Mode::good("shows-traces", good).leaving(Slack::ShowsTraces),
    Mode::good("leaves-files", good).leaving(Slack::LeavesFiles),
    Mode::good("binds-everywhere", good).leaving(Slack::BindsEverywhere),
    Mode::good("guarded-by-session", good).locked(Lock::SessionSuffices),
];
