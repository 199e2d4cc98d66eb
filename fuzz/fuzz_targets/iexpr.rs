//! Parses, checks and prints arbitrary bytes as files of i-expressions, and parses the result again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| minoan_fuzz::iexpr(bytes));
