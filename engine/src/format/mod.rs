//! The byte format: declarations, typed values, identity text.
//!
//! Uses: nothing of the crate. Pure: no I/O, no clock, no allocation in the decoders of fixed records.

pub mod authority;
pub mod layout;
pub mod store_file;
pub mod time;

pub use authority::{Authority, ZoneLayout};
pub use layout::{Bit, Field, FieldType, IndexLayout, Layout};
pub use time::UnixSeconds;

/// The bytes before the first record of every file of the format: `layout_id` as a little-endian u32.
pub const HEADER_LEN: u64 = 4;
/// The layout this version reads and writes.
pub const LAYOUT_ID: u32 = 1;
/// The header every `.bin` and `.idx` file of layout 1 starts with.
pub const HEADER: [u8; 4] = LAYOUT_ID.to_le_bytes();
