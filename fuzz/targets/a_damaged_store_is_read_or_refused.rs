#![no_main]
//! libFuzzer on the law `a_damaged_store_is_read_or_refused`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_store::a_damaged_store_is_read_or_refused(bytes));
