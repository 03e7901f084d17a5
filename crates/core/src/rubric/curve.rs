//! Curves: from a rate (0 to 100) or a count of failures to points (0 to 100).

/// How a measure becomes points. All curves rise with the rate or fall with the count.
#[derive(Debug, Clone, PartialEq)]
pub enum Curve {
    /// The rate itself.
    Linear,
    /// Best first: the points of the first step whose edge the rate reaches.
    Steps(Vec<Step>),
    /// Best first: within a slope the points go evenly from `low` at its edge to `high` at the
    /// edge above it.
    Ramp(Vec<Slope>),
    /// Points lost for each failure, down to 0.
    Penalty(f64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    pub from: Edge,
    pub points: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    pub from: Edge,
    pub low: f64,
    pub high: f64,
}

/// Where a step begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Edge {
    /// At this rate and over it.
    At(f64),
    /// Only over it.
    Above(f64),
}

impl Edge {
    pub fn rate(self) -> f64 {
        match self {
            Edge::At(rate) | Edge::Above(rate) => rate,
        }
    }

    pub fn is_reached_by(self, rate: f64) -> bool {
        match self {
            Edge::At(edge) => rate >= edge,
            Edge::Above(edge) => rate > edge,
        }
    }

    /// Whether some rate reaches `other` but not this one.
    pub fn is_over(self, other: Edge) -> bool {
        self.rate() > other.rate()
            || (self.rate() == other.rate()
                && matches!((self, other), (Edge::Above(_), Edge::At(_))))
    }
}

impl Curve {
    /// Points for a rate, or for a number of failures if the curve is a penalty.
    pub fn points(&self, measure: f64) -> f64 {
        let measure = steady(measure);
        let points = match self {
            Curve::Linear => measure,
            Curve::Steps(steps) => {
                steps.iter().find(|s| s.from.is_reached_by(measure)).map_or(0.0, |s| s.points)
            }
            Curve::Ramp(slopes) => on_ramp(slopes, measure),
            Curve::Penalty(each) => 100.0 - each * measure,
        };
        points.clamp(0.0, 100.0)
    }
}

fn on_ramp(slopes: &[Slope], rate: f64) -> f64 {
    let mut top = 100.0;
    for slope in slopes {
        let edge = slope.from.rate();
        if slope.from.is_reached_by(rate) {
            let width = top - edge;
            let share = if width > 0.0 { (rate - edge) / width } else { 1.0 };
            return slope.low + (slope.high - slope.low) * share;
        }
        top = edge;
    }
    0.0
}

/// Drops the noise of adding fractions, so that nine of ten reach the edge at 90.
pub(super) fn steady(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

/// Rounds half up, forgiving the noise that puts 24.5 a hair below.
pub(super) fn round_half_up(number: f64, decimals: u8) -> f64 {
    let unit = 10f64.powi(i32::from(decimals));
    (number * unit + 0.5 + 1e-6).floor() / unit
}

/// Rounds down, so that coverage never looks better than it is.
pub(super) fn round_down(number: f64, decimals: u8) -> f64 {
    let unit = 10f64.powi(i32::from(decimals));
    (number * unit + 1e-6).floor() / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_up_and_noise_does_not_decide() {
        assert_eq!(round_half_up(24.5, 0), 25.0);
        assert_eq!(round_half_up(24.499_999_999, 0), 25.0);
        assert_eq!(round_half_up(24.49, 0), 24.0);
        assert_eq!(round_half_up(36.0 + 25.5 + 15.6 + 9.2, 1).to_string(), "86.3");
    }

    #[test]
    fn coverage_is_rounded_down() {
        assert_eq!(round_down(99.99, 1), 99.9);
        assert_eq!(round_down(29.999_999_999, 0), 30.0);
    }

    #[test]
    fn an_edge_may_include_its_rate_or_not() {
        assert!(Edge::At(80.0).is_reached_by(80.0));
        assert!(!Edge::Above(80.0).is_reached_by(80.0));
        assert!(Edge::Above(80.0).is_over(Edge::At(80.0)));
        assert!(!Edge::At(80.0).is_over(Edge::Above(80.0)));
    }

    #[test]
    fn a_slope_goes_evenly_from_low_to_high() {
        let ramp = Curve::Ramp(vec![
            Slope { from: Edge::At(100.0), low: 100.0, high: 100.0 },
            Slope { from: Edge::At(50.0), low: 60.0, high: 80.0 },
            Slope { from: Edge::At(0.0), low: 0.0, high: 40.0 },
        ]);
        assert_eq!(ramp.points(100.0), 100.0);
        assert_eq!(ramp.points(75.0), 70.0);
        assert_eq!(ramp.points(50.0), 60.0);
        assert_eq!(ramp.points(25.0), 20.0);
        assert_eq!(ramp.points(0.0), 0.0);
    }
}
