#![no_main]
//! libFuzzer on the law `an_object_that_decodes_encodes_back`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_format::an_object_that_decodes_encodes_back(bytes));
