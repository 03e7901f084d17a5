//! Times and dates.

use super::{Asked, Meaning, Row, Texts::Fixed};

pub(super) const ROWS: &[Row] = &[
    Row::of(
        Meaning::Timezone,
        "timezone|timezones|tz|zone|time zone",
        "timezone|time zone|iana",
        Fixed(&["Europe/Berlin", "UTC", "America/New_York"]),
    ),
    Row::of(
        Meaning::Cron,
        "cron|crontab|schedule",
        "cron expression|crontab",
        Fixed(&["0 9 * * 1", "30 6 * * *"]),
    ),
    Row::of(
        Meaning::Date,
        "birthday|birthdate|dob|departure|arrival|checkin",
        "yyyy mm dd",
        Fixed(&["2024-05-15", "2024-06-15", "2024-07-15"]),
    ),
    Row::of(
        Meaning::DateTime,
        "datetime|timestamp",
        "iso 8601|rfc 3339|iso format",
        Fixed(&["2024-05-15T12:00:00Z", "2024-06-15T12:00:00Z", "2024-07-15T12:00:00Z"]),
    ),
    Row::of(Meaning::ClockTime, "", "hh mm", Fixed(&["14:30", "18:15", "09:00"])),
    Row::of(
        Meaning::Duration,
        "duration|period|ttl|timeout|interval|timeframe",
        "time period",
        Fixed(&["1d", "5d", "1h"]),
    ),
    Row::of(Meaning::Weekday, "weekday|day of week", "", Fixed(&["Monday", "Tuesday", "Friday"])),
    Row::of(Meaning::Month, "month", "", Fixed(&["2024-05", "2024-06"])),
    Row::of(Meaning::Year, "year", "", Fixed(&["2024", "2023"])),
];

/// A time of day, a date or an instant: only the description tells which.
pub(super) fn of(asked: &Asked<'_>) -> Option<Meaning> {
    const TIMELY: &[&str] =
        &["time", "date", "day", "since", "until", "after", "before", "timestamp", "at"];
    if !asked.named(TIMELY) {
        return None;
    }
    let (day, hour) = (asked.says("yyyy mm dd"), asked.says("hh mm"));
    match asked.name.as_slice() {
        [only] if only == "at" && !(day || hour || asked.says("time")) => None,
        _ if hour && !day => Some(Meaning::ClockTime),
        _ if day && !hour => Some(Meaning::Date),
        [only] if only == "time" && !asked.says("iso") => Some(Meaning::ClockTime),
        _ if asked.named(&["date", "day"]) => Some(Meaning::Date),
        _ => Some(Meaning::DateTime),
    }
}
