#![no_main]
//! libFuzzer on the law `an_owner_row_that_decodes_encodes_back`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_workflow::an_owner_row_that_decodes_encodes_back(bytes));
