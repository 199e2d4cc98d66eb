//! Parses arbitrary bytes as MLIR text with all dialects: valid modules round-trip with all print flags.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::text(bytes));
