#![no_main]
//! libFuzzer on the law `a_directory_that_reads_is_built_back`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_format::a_directory_that_reads_is_built_back(bytes));
