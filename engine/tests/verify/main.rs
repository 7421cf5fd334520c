//! What `verify` finds and `repair` writes, rule by rule: the bad bytes are planted by hand in a sound store, and asked
//! of the decoder where one record breaks the rule alone, of `verify`, and of `repair`.
#![cfg(feature = "fault")]

mod at;
mod changes;
mod lands;
mod owner_rows;
mod planted;
mod repairs;
mod sample;
mod small;
mod tasks;
