//! Any bytes as a module and a pipeline: passes keep what the module computes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::passes(bytes));
