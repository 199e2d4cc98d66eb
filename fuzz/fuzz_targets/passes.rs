//! Builds a module and a pipeline from arbitrary bytes, and checks that the passes preserve semantics.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::passes(bytes));
