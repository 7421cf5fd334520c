#![no_main]
//! libFuzzer on the law `a_recovery_store_of_any_bytes_is_judged`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_undo::a_recovery_store_of_any_bytes_is_judged(bytes));
