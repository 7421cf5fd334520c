#![no_main]
//! libFuzzer on the law `a_task_that_decodes_encodes_back`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_workflow::a_task_that_decodes_encodes_back(bytes));
