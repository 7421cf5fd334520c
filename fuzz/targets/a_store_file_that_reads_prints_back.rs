#![no_main]
//! libFuzzer on the law `a_store_file_that_reads_prints_back`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_format::a_store_file_that_reads_prints_back(bytes));
