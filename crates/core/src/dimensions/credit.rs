//! Credit: how far a case did what it should, in thousandths. Whole numbers add up to the same sum
//! in any order.

use serde::Serialize;

/// From 0, not at all, to 1000, fully.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Credit(pub u32);

impl Credit {
    pub const NONE: Credit = Credit(0);
    pub const HALF: Credit = Credit(500);
    pub const FULL: Credit = Credit(1000);

    /// A share from 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(Credit::FULL.0)
    }

    pub(super) fn of_share(share: f64) -> Credit {
        // In range, so the cast is exact.
        Credit((share.clamp(0.0, 1.0) * f64::from(Credit::FULL.0)).round() as u32)
    }
}

/// Credits that add up to a rate; weights are whole numbers too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) cases: u64,
    weight: u64,
    credit: u64,
}

impl Sum {
    pub(super) fn add(&mut self, credit: Credit, weight: u32) {
        self.cases += 1;
        self.weight += u64::from(weight);
        self.credit += u64::from(weight) * u64::from(credit.0);
    }

    /// The mean, had `weight` more been seen at `credit`: few cases then prove little.
    pub(super) fn tempered(self, credit: Credit, weight: u32) -> Option<f64> {
        let total = self.weight + u64::from(weight);
        let sum = self.credit + u64::from(weight) * u64::from(credit.0);
        let full = total * u64::from(Credit::FULL.0);
        (self.cases > 0).then(|| sum as f64 / full as f64)
    }

    pub(super) fn mean(self) -> Option<f64> {
        self.tempered(Credit::NONE, 0)
    }
}
