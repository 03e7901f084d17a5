//! How outcomes and standings are written.

use super::{Outcome, Standing};

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Fail => "fail",
            Outcome::Unseen => "unseen",
            Outcome::Pass => "pass",
        }
    }
}

impl Standing {
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Suspected => "suspected",
            Standing::Observed => "observed",
            Standing::Proven => "proven",
        }
    }
}
