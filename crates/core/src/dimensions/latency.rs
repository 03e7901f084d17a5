//! Response times, by what a tool of its kind may take.

use schemars::JsonSchema;
use serde::Serialize;

use super::credit::Credit;
use super::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Works on what is at hand.
    Local,
    /// Waits for somebody else.
    Networked,
}

impl ToolKind {
    pub fn of(tool: &str) -> ToolKind {
        if words::NETWORKED.are_in(tool) { ToolKind::Networked } else { ToolKind::Local }
    }

    /// Up to the first it is as quick as can be, from the second on it is slow.
    pub fn seconds(self) -> (f64, f64) {
        match self {
            ToolKind::Local => (0.1, 10.0),
            ToolKind::Networked => (0.5, 30.0),
        }
    }

    /// Full for a quick answer, half for a slow one; people feel ratios of time, so it goes evenly
    /// with the logarithm.
    pub(super) fn credit(self, seconds: f64) -> Credit {
        let (quick, slow) = self.seconds();
        let place = (slow / seconds.max(quick)).ln() / (slow / quick).ln();
        Credit::of_share(0.5 + 0.5 * place.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_wait_is_worse_for_a_tool_that_has_all_at_hand() {
        assert_eq!(ToolKind::of("web_search"), ToolKind::Networked);
        assert_eq!(ToolKind::of("add_heading"), ToolKind::Local);
        assert!(ToolKind::Local.credit(3.0) < ToolKind::Networked.credit(3.0));
        assert_eq!(ToolKind::Local.credit(0.0), Credit::FULL);
        assert_eq!(ToolKind::Networked.credit(500.0), Credit::HALF);
    }
}
