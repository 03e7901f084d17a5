//! Servers behind a bearer token, over HTTP; over stdio there is nobody to ask.

use super::good::{good, reference};
use crate::mode::{Lock, Mode};

pub(super) const MODES: &[Mode] = &[
    Mode::good("guarded", reference).locked(Lock::Sound),
    Mode::good("guarded-takes-any-token", good).locked(Lock::TakesAnything),
    Mode::good("guarded-tells-nothing", good).locked(Lock::TellsNothing),
    Mode::good("guarded-takes-query-token", good).locked(Lock::TakesQuery),
];
