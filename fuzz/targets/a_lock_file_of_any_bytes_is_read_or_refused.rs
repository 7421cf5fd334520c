#![no_main]
//! libFuzzer on the law `a_lock_file_of_any_bytes_is_read_or_refused`.

libfuzzer_sys::fuzz_target!(
    |bytes: &[u8]| graven_fuzz::laws_runtime::a_lock_file_of_any_bytes_is_read_or_refused(bytes)
);
