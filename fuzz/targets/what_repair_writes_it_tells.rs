#![no_main]
//! libFuzzer on the law `what_repair_writes_it_tells`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_store::what_repair_writes_it_tells(bytes));
