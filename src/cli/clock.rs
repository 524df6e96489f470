//! The time now, as the store keeps it.

use std::time::{SystemTime, UNIX_EPOCH};

/// `2026-11-30T12:00:00Z`.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
    written(seconds)
}

fn written(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64;
    let (h, m, s) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    // Howard Hinnant's `civil_from_days`.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}Z")
}

#[cfg(test)]
mod tests {
    use super::written;
    use crate::batch::when::Moment;

    #[test]
    fn what_is_written_is_read_back() {
        for seconds in [0, 951_782_400, 1_709_164_800, 1_796_040_000, 4_102_444_799] {
            let read = Moment::parse(&written(seconds)).map(Moment::seconds);
            assert_eq!(read, Some(seconds as i64), "{}", written(seconds));
        }
    }
}
