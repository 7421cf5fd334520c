//! Ordinals: the small owner-scoped positions 0..63 that people see as `C-01` to `C-64`.

use std::fmt;
use std::str::FromStr;

use super::error::{DecodeError, Problem};
use super::identity::IdentityError;

/// Declares the ordinal types; every one has the same face.
macro_rules! ordinals {
    ($($name:ident $of:literal $letter:literal),+ $(,)?) => { $(
        #[doc = concat!("The ordinal of a ", $of, " within its owner, 0 to 63; shown as `", $letter, "-01` to `", $letter, "-64` (F-1.1).")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u8);

        impl $name {
            /// The first ordinal.
            pub const MIN: Self = Self(0);
            /// The last ordinal; allocation beyond it is refused (F-1).
            pub const MAX: Self = Self(63);

            /// The ordinal at that position; `None` above 63.
            pub const fn new(ordinal: u8) -> Option<Self> {
                if ordinal <= Self::MAX.0 { Some(Self(ordinal)) } else { None }
            }

            /// The position, 0 to 63.
            pub const fn get(self) -> u8 {
                self.0
            }

            /// The form of the `*_ordinal_plus1` fields: 1 to 64.
            pub const fn plus1(self) -> u8 {
                self.0 + 1
            }

            /// What a `*_ordinal_plus1` field says; `None` for 0 and above 64.
            pub const fn from_plus1(plus1: u8) -> Option<Self> {
                match plus1.checked_sub(1) {
                    Some(ordinal) => Self::new(ordinal),
                    None => None,
                }
            }

            /// What an ordinal field says.
            pub(super) fn read(
                ordinal: u8,
                record: &'static str,
                field: &'static str,
                rule: &'static str,
            ) -> Result<Self, DecodeError> {
                let problem = Problem::Value { found: ordinal.into(), allowed: "0 to 63" };
                Self::new(ordinal).ok_or(DecodeError::new(record, field, rule, problem))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "-{:02}"), self.plus1())
            }
        }

        impl FromStr for $name {
            type Err = IdentityError;

            fn from_str(text: &str) -> Result<Self, IdentityError> {
                let digits = text.strip_prefix(concat!($letter, "-")).unwrap_or_default();
                let wrong = IdentityError::new(concat!("a ", $of), concat!($letter, "-01 to ", $letter, "-64"));
                if digits.len() != 2 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(wrong);
                }
                digits.parse().ok().and_then(Self::from_plus1).ok_or(wrong)
            }
        }
    )+ };
}

ordinals! {
    ChangeOrdinal "Change" "C",
    LandOrdinal "Land" "L",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_land_09_ordinals_render_as_01_to_64_and_parse_back() {
        for position in 0..64 {
            let ordinal = LandOrdinal::new(position).unwrap();
            assert_eq!(ordinal.to_string().parse(), Ok(ordinal));
        }
        assert_eq!(LandOrdinal::MIN.to_string(), "L-01");
        assert_eq!(LandOrdinal::MAX.to_string(), "L-64");
        assert_eq!(LandOrdinal::new(64), None);
    }

    #[test]
    fn w_change_21_22_ordinal_plus1_is_1_to_64_and_nothing_else() {
        assert_eq!(ChangeOrdinal::from_plus1(0), None);
        assert_eq!(ChangeOrdinal::from_plus1(1), Some(ChangeOrdinal::MIN));
        assert_eq!(ChangeOrdinal::from_plus1(64), Some(ChangeOrdinal::MAX));
        assert_eq!(ChangeOrdinal::from_plus1(65), None);
        assert_eq!(ChangeOrdinal::from_plus1(255), None);
    }

    #[test]
    fn f_1_1_an_ordinal_has_exactly_two_digits() {
        for text in [
            "C-1", "C-001", "C-00", "C-65", "C-+1", "c-01", "01", "C-", "L-01", " C-01", "C-01 ",
        ] {
            assert!(text.parse::<ChangeOrdinal>().is_err(), "{text}");
        }
    }
}
