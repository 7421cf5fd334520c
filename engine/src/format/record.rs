//! The one declaration a record has: `record!` makes the raw structure and its layout from it.

use zerocopy::{FromBytes, IntoBytes};

use super::error::{DecodeError, Problem};
use super::layout::Layout;

#[doc(hidden)]
#[macro_export]
macro_rules! __record {
    (
        $vis:vis struct $record:ident: $size:literal bytes;
        $layout_vis:vis static $layout:ident: $family:literal $(, payload $payload:literal)?;
        meaning $meaning:literal;
        rules $($rule:literal)+;
        zero_record $zero:ident $zero_text:literal;
        fields {
            $(
                $field:ident: $type:tt, $unit:literal, $field_meaning:literal, [$($field_rule:literal),*]
                $(, bits { $([$low:literal $(..= $high:literal)?] $bit:ident $bit_meaning:literal),+ $(,)? })?;
            )+
        }
    ) => {
        #[doc = concat!("The raw record of `", $family, ".bin`, ", stringify!($size), " bytes: any bytes are a value of it.")]
        #[doc = ""]
        #[doc = $meaning]
        #[derive(
            Clone,
            Copy,
            Debug,
            ::zerocopy::FromBytes,
            ::zerocopy::IntoBytes,
            ::zerocopy::KnownLayout,
            ::zerocopy::Immutable,
            ::zerocopy::Unaligned,
        )]
        #[repr(C)]
        $vis struct $record {
            $(
                #[doc = $field_meaning]
                pub $field: $crate::format::record!(@raw $type),
            )+
        }

        const _: () = assert!(::core::mem::size_of::<$record>() == $size, "the fields do not add up to the size");

        #[doc = concat!("The layout of `", $family, ".bin`.")]
        $layout_vis static $layout: $crate::format::Layout = $crate::format::Layout {
            family: $family,
            record: stringify!($record),
            file: concat!($family, ".bin"),
            payload_file: $crate::format::record!(@payload $($payload)?),
            record_size: $size,
            fields: &[
                $(
                    $crate::format::Field {
                        name: stringify!($field),
                        offset: ::core::mem::offset_of!($record, $field),
                        kind: $crate::format::record!(@kind $type),
                        unit: $unit,
                        meaning: $field_meaning,
                        rules: &[$($field_rule),*],
                        bits: &[
                            $($(
                                $crate::format::Bit {
                                    low: $low,
                                    high: $crate::format::record!(@high $low $($high)?),
                                    name: stringify!($bit),
                                    meaning: $bit_meaning,
                                },
                            )+)?
                        ],
                    },
                )+
            ],
            rules: &[$($rule),+],
            meaning: $meaning,
            zero_record: $crate::format::record!(@zero $zero $zero_text),
        };
    };
    (@raw u8) => { u8 };
    (@raw u16) => { ::zerocopy::little_endian::U16 };
    (@raw u32) => { ::zerocopy::little_endian::U32 };
    (@raw u64) => { ::zerocopy::little_endian::U64 };
    (@raw [u8; $len:literal]) => { [u8; $len] };
    (@kind u8) => { $crate::format::FieldType::U8 };
    (@kind u16) => { $crate::format::FieldType::U16 };
    (@kind u32) => { $crate::format::FieldType::U32 };
    (@kind u64) => { $crate::format::FieldType::U64 };
    (@kind [u8; $len:literal]) => { $crate::format::FieldType::Bytes($len) };
    (@payload) => { None };
    (@payload $payload:literal) => { Some($payload) };
    (@high $low:literal) => { $low };
    (@high $low:literal $high:literal) => { $high };
    (@zero refused $text:literal) => { $crate::format::ZeroRecord::Refused($text) };
    (@zero legal $text:literal) => { $crate::format::ZeroRecord::Legal($text) };
}

/// Declares a record: its files, size, fields, bits, rules and meaning.
///
/// Expands to exactly two things: the raw structure (little-endian, unaligned, any bytes are a value of it) with a
/// compile-time check of its size, and a `static` [`Layout`] that says all of it as data.
/// Listing the layout in an [`Authority`](crate::format::Authority) is all that is needed to have the family's files.
///
/// ```
/// graven::format::record! {
///     pub struct NoteRecord: 12 bytes;
///     pub static NOTE: "note", payload "note_payload.bin";
///     meaning "One note.";
///     rules "F-1";
///     zero_record refused "note_offset below 4 (F-1)";
///     fields {
///         note_meta: u8, "", "State bits.", ["F-1"], bits { [7] tombstone "Deleted.", [0..=6] reserved "0." };
///         reserved0: u8, "", "0.", ["F-1"];
///         note_len: u16, "bytes", "Length of the note.", ["F-1"];
///         note_offset: u64, "bytes", "Where the note starts.", ["F-1"];
///     }
/// }
/// assert_eq!(NOTE.record_size, 12);
/// assert_eq!(NOTE.file, "note.bin");
/// assert_eq!(NOTE.fields[3].offset, 4);
/// ```
#[doc(inline)]
pub use __record as record;

/// The raw reading of a record: any bytes of the right length are a value.
///
/// # Errors
/// Only a wrong length (F-1).
pub fn raw<R: FromBytes + IntoBytes>(layout: &'static Layout, bytes: &[u8]) -> Result<R, DecodeError> {
    R::read_from_bytes(bytes).map_err(|_| {
        let problem = Problem::Length {
            expected: layout.record_size as u64,
            found: bytes.len() as u64,
        };
        DecodeError::new(layout.record, "record", "F-1", problem)
    })
}
