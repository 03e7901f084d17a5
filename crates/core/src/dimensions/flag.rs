//! What is certain from the raw answers, whatever the rates say.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// Not one functional case was fulfilled: nothing is demonstrated.
    AllFunctionalFailed,
    /// An answer shows that a path led out of bounds.
    TraversalSucceeded,
    /// One of our own attacks got through, with proof.
    HoleProven,
    /// Calls were lost because there was no server any more.
    ServerLostMidway,
    /// The suite itself says that it gave up.
    Aborted,
}

impl Flag {
    /// A serious hole in the sense of the rubric.
    pub fn is_hole(self) -> bool {
        match self {
            Flag::TraversalSucceeded | Flag::HoleProven => true,
            Flag::AllFunctionalFailed | Flag::ServerLostMidway | Flag::Aborted => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Flag::AllFunctionalFailed => "all_functional_failed",
            Flag::TraversalSucceeded => "traversal_succeeded",
            Flag::HoleProven => "hole_proven",
            Flag::ServerLostMidway => "server_lost_midway",
            Flag::Aborted => "aborted",
        }
    }

    pub fn says(self) -> &'static str {
        match self {
            Flag::AllFunctionalFailed => {
                "no functional case was fulfilled, so nothing shows that the server works"
            }
            Flag::TraversalSucceeded => "an answer shows that a path led out of bounds",
            Flag::HoleProven => "an attack is proven to have got through",
            Flag::ServerLostMidway => {
                "the server was lost on the way; the calls after that are not judged"
            }
            Flag::Aborted => "the suite was aborted; what came after is not known",
        }
    }
}
