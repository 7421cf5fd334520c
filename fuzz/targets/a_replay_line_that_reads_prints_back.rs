#![no_main]
//! libFuzzer on the law `a_replay_line_that_reads_prints_back`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_sim::a_replay_line_that_reads_prints_back(bytes));
