//! Times as LMSs write them, to seconds since 1970.

/// A moment, to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(i64);

impl Moment {
    /// Reads `2026-11-30 23:59:00 +0100`, `2026-11-30T23:59:00.5Z`, `2026-11-30 23:59`, `2026-11-30` (its last second).
    /// Without an offset it is UTC.
    pub fn parse(text: &str) -> Option<Moment> {
        let text = text.trim();
        let date = text.get(..10)?;
        let mut fields = date.split('-');
        let year: i64 = fields.next()?.parse().ok()?;
        let month: i64 = fields.next()?.parse().ok()?;
        let day: i64 = fields.next()?.parse().ok()?;
        if fields.next().is_some()
            || !(1..=12).contains(&month)
            || !(1..=31).contains(&day)
            || !(1970..=9999).contains(&year)
        {
            return None;
        }
        let midnight = days_since_1970(year, month, day) * 86_400;
        let rest = text.get(10..)?.trim_start_matches(['T', 't', ' ']);
        if rest.is_empty() {
            return Some(Moment(midnight + 86_399));
        }
        let clock_end =
            rest.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(rest.len());
        let (clock, zone) = rest.split_at(clock_end);
        let mut seconds = 0;
        for (unit, part) in [3600, 60, 1].iter().zip(clock.split('.').next()?.split(':')) {
            let value: i64 = part.parse().ok()?;
            if value > 60 {
                return None;
            }
            seconds += unit * value;
        }
        Some(Moment(midnight + seconds - offset(zone.trim())?))
    }

    /// Seconds since 1970-01-01T00:00Z.
    pub fn seconds(self) -> i64 {
        self.0
    }

    /// How many seconds after `due`, or `None` when in time.
    pub fn seconds_after(self, due: Moment) -> Option<u64> {
        u64::try_from(self.0 - due.0).ok().filter(|&s| s > 0)
    }
}

/// `Z`, `UTC`, `+0100`, `-05:30` to seconds east.
fn offset(zone: &str) -> Option<i64> {
    if zone.is_empty() || zone.eq_ignore_ascii_case("z") || zone.eq_ignore_ascii_case("utc") {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
    let hours: i64 = digits.get(..2)?.parse().ok()?;
    let minutes: i64 = digits.get(2..4).unwrap_or("00").parse().ok()?;
    Some(sign * (hours * 3600 + minutes * 60))
}

/// Days from 1970-01-01 in the Gregorian calendar (Howard Hinnant's `days_from_civil`).
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let shifted = (month + 9) % 12;
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn the_forms_that_occur() {
        let at = |t| Moment::parse(t).map(Moment::seconds);
        assert_eq!(at("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(at("2026-11-30 23:59:00 +0100"), at("2026-11-30T22:59Z"));
        assert_eq!(at("2026-11-30 23:59:00.25 -05:30"), at("2026-12-01T05:29:00Z"));
        assert_eq!(at("2024-02-29"), at("2024-02-29 23:59:59"));
        assert_eq!(at("2000-03-01"), Some(951_955_199));
        for wrong in ["", "yesterday", "2026-13-01", "2026-11-30 25:99x", "30.11.2026 10:00"] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn in_time_is_not_late() {
        let due = Moment::parse("2026-11-30T12:00:00Z").expect("a valid time");
        let late = |t| Moment::parse(t).and_then(|m| m.seconds_after(due));
        assert_eq!(late("2026-11-30T12:00:00Z"), None);
        assert_eq!(late("2026-11-30T12:01:00Z"), Some(60));
    }
}
