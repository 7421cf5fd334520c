#![no_main]
//! libFuzzer on the law `an_index_file_of_any_bytes_hides_and_invents_nothing`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    graven_fuzz::laws_runtime::an_index_file_of_any_bytes_hides_and_invents_nothing(bytes)
});
