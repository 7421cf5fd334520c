#![no_main]
//! libFuzzer on the law `an_identity_that_reads_prints_back`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_format::an_identity_that_reads_prints_back(bytes));
