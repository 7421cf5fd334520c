//! The only clock of the project: what a verb that writes takes as its time.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use graven::format::UnixSeconds;

/// The time of a verb that writes.
#[derive(Args, Clone, Copy, Debug)]
pub struct At {
    /// The time to write, in Unix seconds (default: the system clock)
    #[arg(long, global = true, value_name = "UNIX_SECONDS")]
    at: Option<u64>,
}

impl At {
    /// The time that was asked for, or the system clock's. A clock before 1970 reads as 0, which the engine refuses.
    pub fn now(self) -> UnixSeconds {
        let clock = || {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |elapsed| elapsed.as_secs())
        };
        UnixSeconds(self.at.unwrap_or_else(clock))
    }
}

/// A time for people, as RFC 3339 has it: `2026-03-01T12:00:00Z`, or the bare seconds beyond the year 9999.
pub fn time_text(time: UnixSeconds) -> String {
    let days = time.0 / 86_400;
    let second = time.0 % 86_400;
    let Some((year, month, day)) = civil(days) else {
        return format!("{} s", time.0);
    };
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The date of a day since 1970-01-01, up to the year 9999.
fn civil(days: u64) -> Option<(u64, u64, u64)> {
    const LAST_DAY: u64 = 2_932_896;
    if days > LAST_DAY {
        return None;
    }
    // Eras of 400 years that begin on 1 March of the year 0: leap days then come last.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    Some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_utc_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "253402300800 s"),
            (u64::MAX, "18446744073709551615 s"),
        ] {
            assert_eq!(time_text(UnixSeconds(seconds)), text);
        }
    }
}
