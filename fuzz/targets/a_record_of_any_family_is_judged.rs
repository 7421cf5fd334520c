#![no_main]
//! libFuzzer on the law `a_record_of_any_family_is_judged`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_families::a_record_of_any_family_is_judged(bytes));
