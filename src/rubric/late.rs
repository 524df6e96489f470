//! Late submissions: grace, deduction per day, cap.

use serde::{Deserialize, Serialize};

/// How lateness is paid for. Percentages are of the exercise's full points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LatePolicy {
    /// Minutes after the due time that cost nothing.
    #[serde(default)]
    pub grace_minutes: u32,
    /// Percent taken for every day begun after the due time.
    pub per_day_percent: f64,
    /// Most that is ever taken, in percent.
    #[serde(default = "everything")]
    pub cap_percent: f64,
}

fn everything() -> f64 {
    100.0
}

impl LatePolicy {
    /// Why the policy cannot be meant, if so.
    pub fn problem(&self) -> Option<String> {
        let percent = |value: f64| value.is_finite() && (0.0..=100.0).contains(&value);
        if !percent(self.per_day_percent) {
            return Some(format!("per-day-percent is {}, expected 0 to 100", self.per_day_percent));
        }
        (!percent(self.cap_percent))
            .then(|| format!("cap-percent is {}, expected 0 to 100", self.cap_percent))
    }

    /// Points taken from a submission that came `minutes_late` minutes after the due time (negative: early) and earned
    /// `points` of `max`. Never more than was earned.
    pub fn deduction(&self, minutes_late: i64, points: f64, max: f64) -> f64 {
        if minutes_late <= i64::from(self.grace_minutes) {
            return 0.0;
        }
        const DAY: i64 = 24 * 60;
        let days = minutes_late / DAY + i64::from(minutes_late % DAY != 0);
        let percent = (days as f64 * self.per_day_percent).min(self.cap_percent);
        (max * percent / 100.0).min(points).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grace_days_and_cap() {
        let policy = LatePolicy { grace_minutes: 15, per_day_percent: 10.0, cap_percent: 25.0 };
        let of = |minutes, points| policy.deduction(minutes, points, 80.0);
        assert_eq!(of(-100, 70.0), 0.0);
        assert_eq!(of(15, 70.0), 0.0);
        assert_eq!(of(16, 70.0), 8.0);
        assert_eq!(of(24 * 60, 70.0), 8.0);
        assert_eq!(of(24 * 60 + 1, 70.0), 16.0);
        assert_eq!(of(90 * 24 * 60, 70.0), 20.0);
        assert_eq!(of(90 * 24 * 60, 5.0), 5.0);
    }

    #[test]
    fn percentages_are_checked() {
        let policy =
            |per_day_percent, cap_percent| LatePolicy { grace_minutes: 0, per_day_percent, cap_percent };
        assert_eq!(policy(10.0, 50.0).problem(), None);
        assert!(policy(110.0, 50.0).problem().unwrap().contains("per-day-percent"));
        assert!(policy(10.0, -1.0).problem().unwrap().contains("cap-percent"));
        assert!(policy(f64::NAN, 50.0).problem().is_some());
    }
}
