//! Confidence: of a tool's classification over several responses, and of a whole assessment.

use super::Classification;

impl Classification {
    /// How much a response of this class counts.
    pub fn weight(self) -> f64 {
        match self {
            Classification::FullyWorking => 1.0,
            Classification::PartiallyWorking => 0.7,
            Classification::ConnectivityOnly => 0.3,
            Classification::Error => 0.2,
            Classification::Broken => 0.0,
        }
    }
}

/// The mean of the confidences, each weighed by its class; 0 to 100, one decimal. `None` of none.
pub fn overall_confidence(of: impl IntoIterator<Item = (Classification, f64)>) -> Option<f64> {
    let weighed: Vec<f64> = of.into_iter().map(|(class, points)| class.weight() * points).collect();
    (!weighed.is_empty()).then(|| one_decimal(weighed.iter().sum::<f64>() / weighed.len() as f64))
}

/// How much an assessment has looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Looked {
    /// Calls made.
    pub tests: usize,
    /// Calls that stand for a scenario and came to something.
    pub scenarios: usize,
    /// Responses that were validated.
    pub validations: usize,
}

impl Looked {
    /// 0 to 100, one decimal: the mean of three shares, each full at its cap.
    pub fn confidence(self) -> f64 {
        let share = |n: usize, cap: usize| n.min(cap) as f64 / cap as f64;
        let sum = share(self.tests, 50) + share(self.scenarios, 20) + share(self.validations, 100);
        one_decimal(sum / 3.0 * 100.0)
    }
}

fn one_decimal(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_three_scenarios_comes_to_83() {
        let results = [
            (Classification::FullyWorking, 100.0),
            (Classification::PartiallyWorking, 70.0),
            (Classification::FullyWorking, 100.0),
        ];
        assert_eq!(overall_confidence(results), Some(83.0));
    }

    #[test]
    fn classes_weigh_100_70_30_20_and_0_percent() {
        let alone = |class| overall_confidence([(class, 100.0)]);
        assert_eq!(alone(Classification::FullyWorking), Some(100.0));
        assert_eq!(alone(Classification::PartiallyWorking), Some(70.0));
        assert_eq!(alone(Classification::ConnectivityOnly), Some(30.0));
        assert_eq!(alone(Classification::Error), Some(20.0));
        assert_eq!(alone(Classification::Broken), Some(0.0));
        assert_eq!(overall_confidence([]), None);
    }

    #[test]
    fn an_assessment_is_sure_at_50_tests_20_scenarios_and_100_validations() {
        let of =
            |tests, scenarios, validations| Looked { tests, scenarios, validations }.confidence();
        assert_eq!(of(50, 20, 100), 100.0);
        assert_eq!(of(5_000, 2_000, 10_000), 100.0);
        assert_eq!(of(0, 0, 0), 0.0);
        assert_eq!(of(50, 0, 0), 33.3);
        assert_eq!(of(0, 20, 0), 33.3);
        assert_eq!(of(0, 0, 100), 33.3);
        assert_eq!(of(25, 10, 50), 50.0);
        assert_eq!(of(49, 19, 99), 97.3);
    }
}
