#![no_main]
//! libFuzzer on the law `short_calls_are_continued`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graven_fuzz::laws_vfs::short_calls_are_continued(bytes));
