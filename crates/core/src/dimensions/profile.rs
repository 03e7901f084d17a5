//! The bands that turn rates into points: named profiles of the `dimensions` rubric.

use schemars::JsonSchema;
use serde::Serialize;

use crate::rubric::{Rubric, RubricError};

/// Which bands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Those of the document: 95, 85, 70.
    #[default]
    Seed,
    /// Those that published scores were made with: 95, 75, 60.
    Labels,
}

impl Profile {
    pub const ALL: [Profile; 2] = [Profile::Seed, Profile::Labels];

    pub fn name(self) -> &'static str {
        match self {
            Profile::Seed => "seed",
            Profile::Labels => "labels",
        }
    }

    /// The id of the rubric that holds them.
    pub fn rubric_id(self) -> &'static str {
        match self {
            Profile::Seed => "dimensions",
            Profile::Labels => "dimensions-labels",
        }
    }

    pub fn rubric(self) -> Result<Rubric, RubricError> {
        Rubric::builtin(self.rubric_id())
    }
}
