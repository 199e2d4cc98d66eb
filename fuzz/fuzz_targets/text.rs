//! Any bytes as MLIR's text, read with every dialect: what is valid prints with every flag and reads back to the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::text(bytes));
