//! Builds modules from arbitrary bytes: valid modules round-trip with all print flags, invalid ones in the generic
//! form.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::module(bytes));
