//! Any bytes as Knossos programs: parsed, checked, printed and parsed again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::knossos(bytes));
