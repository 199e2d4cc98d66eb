//! Any bytes as choices that build a module: a right one prints with every flag and reads back to the same, a wrong one
//! in the generic form.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::module(bytes));
